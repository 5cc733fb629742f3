/** Pictures of a recording in one second. */
export const framesPerSecond = 2
/** A picture that stays is repeated in the video after this time. */
export const secondsPerFrameMax = 10
/** From the first picture on. What happens later is not recorded. */
export const recordedMinutesMax = 60
/** Of the pictures on disk until they are encoded. What happens later is not recorded. */
export const framesBytesMax = 500_000_000
/** Of the video. Its room is taken out of the quota when the session is created. */
export const videoBytesMax = 50_000_000
/** A machine that is down for longer loses its recordings. */
export const finishedWithinMs = 24 * 3_600_000
/** The most bits of a second of video: more than pages need. Long recordings have fewer, so that they fit. */
export const bitsPerSecondMax = 1_000_000

const encodingMsMax = 20 * 60_000

export const encodingLimits = {
  memoryBytes: 3_000_000_000,
  cpuSeconds: (encodingMsMax / 1_000) * 4,
  fileBytes: videoBytesMax * 2,
  processes: 128,
  wallMs: encodingMsMax,
}
