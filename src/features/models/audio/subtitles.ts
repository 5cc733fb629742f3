// Transcripts as subtitles: SubRip and WebVTT.
export interface HeardSegment {
  /** In seconds. */
  readonly start: number
  readonly end: number
  readonly text: string
}

export const writeSrt = (segments: readonly HeardSegment[]): string =>
  segments
    .map(
      ({ start, end, text }, place) =>
        `${place + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${oneCue(text)}\n\n`,
    )
    .join('')

export const writeVtt = (segments: readonly HeardSegment[]): string =>
  `WEBVTT\n\n${segments
    .map(
      ({ start, end, text }) => `${clock(start, '.')} --> ${clock(end, '.')}\n${oneCue(text)}\n\n`,
    )
    .join('')}`

/** A blank line or an arrow would end the cue. */
const oneCue = (text: string) =>
  text
    .trim()
    .replaceAll(/\s*\n\s*/g, '\n')
    .replaceAll('-->', '->')

/** `01:02:03.456` */
function clock(seconds: number, point: ',' | '.'): string {
  const ms = Math.round(seconds * 1_000)
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(ms / 3_600_000)
  const minutes = Math.floor(ms / 60_000) % 60
  const rest = `${two(Math.floor(ms / 1_000) % 60)}${point}${String(ms % 1_000).padStart(3, '0')}`
  return `${two(hours)}:${two(minutes)}:${rest}`
}
