public class Song {
    private String title;
    private String artist;
    private int seconds;

    public Song(String title, String artist, int seconds) {
        this.title = title;
        this.artist = artist;
        this.seconds = seconds;
    }

    public String getTitle() {
        return title;
    }

    public String getArtist() {
        return artist;
    }

    public int getSeconds() {
        return seconds;
    }

    public boolean equals(Song song) {
        return title.equals(song.title) && artist.equals(song.artist) && seconds == song.seconds;
    }

    @Override
    public int hashCode() {
        return title.hashCode();
    }
}
