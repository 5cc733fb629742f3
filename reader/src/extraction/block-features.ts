// What a block is by itself: its words, marks and numbers.
import { characterKind, digitBit, upperBit } from '../page/characters.ts'
import { capped } from './caps.ts'
import type { FeatureGroup } from './feature-group.ts'
import type { Block } from './page-tree.ts'
import { wordGroupNames } from './vocabulary.ts'

const names = [
  'words',
  'letters per word',
  'link share',
  'strong share',
  'links',
  'images',
  'capital share',
  'shouted share',
  'number share',
  'years',
  'sentence ends',
  'words per sentence',
  'commas per word',
  'marks per word',
  'separators',
  'separators per word',
  'quotes',
  'currencies',
  'code marks per word',
  'foreign share',
  'begins in capitals',
  'begins with a number',
  'ends a sentence',
  'ends with a colon',
  'ends with dots',
  'copyright',
  'repeats',
  'repeats before',
  'copied before',
  'copied after',
  'in title',
  'of title',
  'in description',
  'in linked data',
  ...wordGroupNames.map((name) => `words of ${name}`),
]

export const blockFeatures: FeatureGroup = {
  names,
  prepare: (page) => (index, row, start) => {
    const block = page.tree.blocks[index] as Block
    const words = Math.max(1, block.words)
    let at = start
    row[at++] = block.words
    row[at++] = block.letters / words
    row[at++] = block.linkWords / words
    row[at++] = block.strongWords / words
    row[at++] = block.links
    row[at++] = block.images
    row[at++] = block.capitalWords / words
    row[at++] = block.shoutedWords / words
    row[at++] = block.numbers / words
    row[at++] = block.years
    row[at++] = block.sentenceEnds
    row[at++] = block.words / (block.sentenceEnds + 1)
    row[at++] = block.commas / words
    row[at++] = block.marks / words
    row[at++] = block.separators
    row[at++] = block.separators / words
    row[at++] = block.quotes
    row[at++] = block.currencies
    row[at++] = block.codeMarks / words
    row[at++] = block.foreign / words
    const kind = characterKind(block.first)
    row[at++] = (kind & upperBit) !== 0 ? 1 : 0
    row[at++] = (kind & digitBit) !== 0 ? 1 : 0
    row[at++] = sentenceEnds.has(block.last) ? 1 : 0
    row[at++] = block.last === 0x3a ? 1 : 0
    row[at++] = block.last === 0x2026 || block.text.endsWith('...') ? 1 : 0
    row[at++] = block.text.includes('©') ? 1 : 0
    row[at++] = capped(page.repeats[index] as number)
    row[at++] = capped(page.repeatsBefore[index] as number)
    row[at++] = page.copiedBefore[index] as number
    row[at++] = page.copiedAfter[index] as number
    const inTitle = sharedWords(block, page.tree.words, page.titleWords)
    row[at++] = inTitle / words
    row[at++] = page.titleWords.size === 0 ? 0 : inTitle / page.titleWords.size
    row[at++] = sharedWords(block, page.tree.words, page.descriptionWords) / words
    row[at++] = sharedWords(block, page.tree.words, page.linkedWords) / words
    for (let group = 0; group < block.groups.length; group += 1)
      row[at++] = (block.groups[group] as number) / words
    return at
  },
}

const sentenceEnds: ReadonlySet<number> = new Set(
  [...'.!?。"”'].map((character) => character.charCodeAt(0)),
)

function sharedWords(block: Block, words: readonly number[], among: ReadonlySet<number>): number {
  if (among.size === 0) return 0
  let shared = 0
  for (let index = block.wordsFrom; index < block.wordsFrom + block.words; index += 1)
    if (among.has(words[index] as number)) shared += 1
  return shared
}
