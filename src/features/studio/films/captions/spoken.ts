// Groups the words of a transcript to captions that can be read.
import type { SpokenCue, SpokenWord } from './cue.ts'

/** A pause that is longer ends a caption. */
const pauseSeconds = 0.7
/** A caption stays until the next one if that is so near, because a short gap flickers. */
const flickerSeconds = 0.4
const endOfSentence = /[.!?…。！？؟।]["'”’)»]*$/

export function cuesOfWords(words: readonly SpokenWord[], charactersMax: number): SpokenCue[] {
  const groups: SpokenWord[][] = []
  for (const word of words) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    const isFull = joinWords([...(group ?? []), word]).length > charactersMax
    if (
      group === undefined ||
      last === undefined ||
      isFull ||
      word.start - last.end > pauseSeconds ||
      endOfSentence.test(last.text)
    )
      groups.push([word])
    else group.push(word)
  }
  return groups.map((group, index) => {
    const [start, ownEnd] = [group[0]?.start ?? 0, Math.max(...group.map(({ end }) => end))]
    const next = groups[index + 1]?.[0]?.start ?? Number.POSITIVE_INFINITY
    const end = next - ownEnd < flickerSeconds ? next : ownEnd
    return { start, end, text: joinWords(group), words: group }
  })
}

/** Scripts that are written without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u

const joinWords = (words: readonly SpokenWord[]) =>
  words.map((word, index) => `${gapBefore(words, index)}${word.text}`).join('')

/** The space between a word and the one before it. */
export function gapBefore(words: readonly SpokenWord[], index: number): string {
  const [before, word] = [words[index - 1]?.text, words[index]?.text ?? '']
  if (before === undefined) return ''
  const isUnspaced = unspaced.test(before.slice(-1)) || unspaced.test(word.slice(0, 1))
  return isUnspaced || /^[,.;:!?…，。！？]/.test(word) ? '' : ' '
}
