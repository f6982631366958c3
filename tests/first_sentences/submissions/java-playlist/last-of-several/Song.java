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

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Song)) {
            return false;
        }
        Song song = (Song) other;
        return title.equals(song.title) && artist.equals(song.artist) && seconds == song.seconds;
    }

    @Override
    public int hashCode() {
        return title.hashCode();
    }
}
