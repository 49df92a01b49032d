/** How much one sandbox may use. Its time is for the caller. */

export const SANDBOX_BOUNDS = {
  /** Processes and threads at one time. */
  processes: 512,
  /** Bytes in each of the private folders: HOME, /tmp and /dev/shm. */
  scratchBytes: 512 * 1024 * 1024,
  /** Files that are looked at for other names of a denied or protected file, where its link count says that there are some. */
  linkedFiles: 20_000,
  /** Entries of a folder on the PATH whose links are followed. */
  programLinks: 2_000,
  /** Files of a folder on the PATH that is no installation: all are looked at for secrets, once; with more of them it is left out. */
  ownPrograms: 100_000,
  /** How long the probe may take. */
  probeMs: 5_000,
} as const;
