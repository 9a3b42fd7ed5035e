//! Keeps other processes of the same user out of this one.

/// Lets nobody but the system's administrator read the memory, the environment or the descriptors of this process, nor
/// trace it; it leaves no core dump either. On Linux only, and until it becomes another program: what it starts is as open
/// as ever.
pub fn keep_closed() {
    // Where it is refused, everything is as it was before.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}
