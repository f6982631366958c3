public class Evil {
    static {
        for (String path : new String[] {"/tmp/left-behind-start", "/srv/left-behind-start"})
            try {
                new java.io.File(path).createNewFile();
            } catch (java.io.IOException error) {
                // held
            }
        System.out.println("harm: was started");
    }
}
