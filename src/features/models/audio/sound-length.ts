// How long a file of sound is, by its bytes. Only the length of uncompressed WAV can be told without decoding it.

/** No usual codec has fewer bytes for a second of speech: Opus at 6 kilobits. */
const bytesPerSecondMin = 750
/** MP3 at 128 kilobits, which favours the caller. */
const bytesPerSecondUsual = 16_000
const headerBytes = 36
const pcm = 1

/** The longest that the sound can be, in whole seconds. */
export function boundSeconds(bytes: Buffer): number {
  return Math.ceil(bytes.length / (bytesPerSecondOfWav(bytes) ?? bytesPerSecondMin))
}

/** How long the sound is at least, most likely. */
export function estimateSeconds(bytes: Buffer): number {
  return Math.ceil(bytes.length / (bytesPerSecondOfWav(bytes) ?? bytesPerSecondUsual))
}

/** By the format of the samples. The header’s own figure of bytes per second may be wrong. */
function bytesPerSecondOfWav(bytes: Buffer): number | undefined {
  if (bytes.length < headerBytes || !/^RIFF.{4}WAVEfmt /s.test(bytes.toString('latin1', 0, 16)))
    return undefined
  if (bytes.readUInt16LE(20) !== pcm) return undefined
  const channels = bytes.readUInt16LE(22)
  const samplesPerSecond = bytes.readUInt32LE(24)
  const bytesPerSample = Math.ceil(bytes.readUInt16LE(34) / 8)
  const perSecond = channels * samplesPerSecond * bytesPerSample
  return perSecond >= bytesPerSecondMin ? perSecond : undefined
}
