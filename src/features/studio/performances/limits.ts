import type { BoxLimits } from '#platform/sandbox/limits.ts'

/** A film of 29 seconds stays within the 100 MB of a stored file. */
export const filmBitsPerSecondMax = 24_000_000
const soundAndIndexShare = 0.1

/** Room for a film, before it is made. */
export const filmBytesMax = (seconds: number) =>
  Math.ceil((filmBitsPerSecondMax / 8) * seconds * (1 + soundAndIndexShare))
/** Limits a clip that the video model made. */
export const clipBytesMax = 200_000_000
export const downloadTimeoutMs = 300_000
/** The models wait at the vendor's without a worker; a try that works downloads, encodes and stores. */
export const tryTimeoutMs = 1_800_000
/** A clip may be this much shorter than its shot: its last frame is shown for the rest. */
export const missingSecondsMax = 0.5

export const probeLimits: BoxLimits = {
  memoryBytes: 2_000_000_000,
  cpuSeconds: 30,
  fileBytes: 1_000,
  processes: 64,
  wallMs: 60_000,
}

export const encodeLimits: BoxLimits = {
  memoryBytes: 6_000_000_000,
  cpuSeconds: 3_600,
  fileBytes: 100_000_000,
  processes: 512,
  wallMs: 900_000,
}

/** Source: spec, "Media jobs". */
export const promptCharactersMax = 2_000
export const photosMax = 5
