import java.util.ArrayList;
import java.util.List;

public class Playlist {
    private List<Song> songs;

    public Playlist() {
        songs = new ArrayList<>();
    }

    public void add(Song song) {
        songs.add(song);
    }

    public int size() {
        return songs.size();
    }

    public int totalSeconds() {
        int total = 0;
        for (int i = 0; i < songs.size(); i++) {
            total += songs.get(i).getSeconds();
        }
        return total;
    }

    public String length() {
        int total = totalSeconds();
        return String.format("%d:%02d", total / 60, total % 60);
    }

    public Song longest() {
        Song best = null;
        for (Song song : songs) {
            if (best == null || song.getSeconds() > best.getSeconds()) {
                best = song;
            }
        }
        return best;
    }

    public List<String> byArtist(String artist) {
        List<String> titles = new ArrayList<>();
        for (Song song : songs) {
            if (song.getArtist().equals(artist)) {
                titles.add(song.getTitle());
            }
        }
        return titles;
    }

    public boolean remove(String title) {
        return songs.removeIf(song -> song.getTitle().equals(title));
    }
}
