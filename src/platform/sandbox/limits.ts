// What a program in a box may use. The kernel enforces all but the deadline.

export interface BoxLimits {
  /** The address space of each process. */
  readonly memoryBytes: number
  /** Of these, what each process may write to. Absent: all. */
  readonly dataBytes?: number
  /** Processor time of each process. */
  readonly cpuSeconds: number
  /** Of each file that it writes. */
  readonly fileBytes: number
  readonly processes: number
  /** After this time the whole box is killed. */
  readonly wallMs: number
}
