// Tries to end every process that Java can see. Safe: 0, failed or crashed.
class Attack {
    public static void main(String[] args) {
        long own = ProcessHandle.current().pid();
        ProcessHandle.of(Long.parseLong(System.getenv("VICTIM"))).ifPresent(ProcessHandle::destroyForcibly);
        ProcessHandle.allProcesses().filter(one -> one.pid() != own).forEach(one -> {
            try {
                one.destroyForcibly();
            } catch (IllegalStateException refused) {
                System.out.println(refused.getMessage());
            }
        });
    }
}
