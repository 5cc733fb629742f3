// Reads SubRip (SRT) and WebVTT files. Both are written by hand as often as by programs, so what does not matter for
// the words is read over: numbers of cues, their settings, styles and markup.
import type { Cue } from './cue.ts'

export type SubtitleFile = { readonly cues: readonly Cue[] } | { readonly problem: string }

const time = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?`
const timing = new RegExp(String.raw`^\s*${time}\s*-->\s*${time}(?:\s.*)?$`)
/** Blocks of WebVTT without words. */
const silentBlock = /^(NOTE|STYLE|REGION)(\s|$)/
const markup = /<\/?[a-z][^<>]*>|<\d[\d:.]*>|\{\\[^{}]*\}/gi

export function readSubtitles(file: string): SubtitleFile {
  const lines = file.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  const cues: Cue[] = []
  let isSilent = /^WEBVTT(\s|$)/.test(lines[0] ?? '')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line.trim() === '') isSilent = false
    else if (silentBlock.test(line) && (lines[at - 1] ?? '').trim() === '') isSilent = true
    if (isSilent || !line.includes('-->')) continue
    const read = readTiming(line)
    if (read === undefined)
      return { problem: `line ${at + 1} is not a timing: ${line.trim().slice(0, 60)}` }
    if (read.end <= read.start) return { problem: `line ${at + 1} ends before it starts` }
    const words = linesOfCue(lines, at + 1)
    at += words.length
    const text = words.map(plainText).join('\n').trim()
    if (text !== '') cues.push({ ...read, text })
  }
  if (cues.length === 0) return { problem: 'no line holds a timing with words below it' }
  return { cues: cues.toSorted((one, other) => one.start - other.start) }
}

function readTiming(line: string): { start: number; end: number } | undefined {
  const found = timing.exec(line)
  if (found === null) return undefined
  const at = (first: number) => {
    const [hours = '0', minutes = '0', seconds = '0', part = ''] = found.slice(first, first + 4)
    return (
      Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${part || '0'}`)
    )
  }
  return { start: at(1), end: at(5) }
}

/** Up to the next empty line, or the next timing where the empty line is missing. */
function linesOfCue(lines: readonly string[], from: number): readonly string[] {
  const rest = lines.slice(from)
  const empty = rest.findIndex((line) => line.trim() === '')
  const own = empty < 0 ? rest : rest.slice(0, empty)
  const next = own.findIndex((line) => line.includes('-->') && timing.test(line))
  if (next < 0) return own
  const isNumbered = /^\d+$/.test(own[next - 1]?.trim() ?? '')
  return own.slice(0, isNumbered ? next - 1 : next)
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': '\u00A0',
  '&lrm;': '\u200E',
  '&rlm;': '\u200F',
}

const plainText = (line: string) =>
  line.replaceAll(markup, '').replaceAll(/&[a-z]+;/g, (entity) => entities[entity] ?? entity)
