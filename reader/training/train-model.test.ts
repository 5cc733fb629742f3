import { expect, test } from 'vitest'
import { extractMain } from '../src/extraction/extract-main.ts'
import { readModel, writeModel } from '../src/extraction/model/model.ts'
import { seePage } from '../src/page/see-page.ts'
import { type Example, exampleOf } from './examples.ts'
import type { LabelledPage } from './pages.ts'
import { createRandom } from './random.ts'
import { type TrainingOptions, trainModel } from './train-model.ts'

const nouns =
  'mill river stone wheel baker flour dam gate sack loaf rye wheat barn horse bridge'.split(' ')
const random = createRandom(7)
const letters = 'abcdefghijklmnoprstuvw'
const word = () =>
  Array.from({ length: 6 }, () => letters[Math.floor(random() * letters.length)]).join('')
const sentence = () => `The ${Array.from({ length: 14 }, word).join(' of the ')}.`

function syntheticPage(index: number): LabelledPage {
  const content = Array.from({ length: 6 }, sentence)
  const menu = nouns.map((noun) => `<li><a href="/${noun}">All about ${noun}</a></li>`).join('')
  return {
    id: String(index),
    url: `https://site-${index}.example/`,
    site: `site-${index}`,
    type: index % 2 === 0 ? 'article' : 'forum',
    html: `<title>${index}</title><nav class="menu"><ul>${menu}</ul></nav><main>${content.map((text) => `<p>${text}</p>`).join('')}</main><footer>© ${index} ${nouns.join(' | ')}</footer>`,
    truth: { kind: 'content', content: content.join('\n') },
    title: String(index),
  }
}

const pages = Array.from({ length: 40 }, (_each, index) => syntheticPage(index))
const few = {
  trees: 8,
  learningRate: 0.3,
  leavesMax: 8,
  depthMax: 4,
  l2: 1,
  hessianMin: 1,
  rowShare: 0.7,
  featureShare: 0.3,
  seed: 1,
}
const options: TrainingOptions = { first: few, second: few, pageType: few, parts: 2 }
const train = (examples: readonly Example[], changed: Partial<TrainingOptions> = {}) =>
  writeModel(trainModel(examples, { ...options, ...changed }), 'No credits')

test('the same pages and seed give the same model, and another seed another', () => {
  const first = train(pages.map(exampleOf))
  expect(JSON.stringify(train(pages.map(exampleOf)))).toBe(JSON.stringify(first))
  expect(train(pages.map(exampleOf), { first: { ...few, seed: 2 } })).not.toEqual(first)
})

test('what is learned holds on a page that was not seen, and survives being written', () => {
  const model = readModel(train(pages.slice(1).map(exampleOf)))
  const [unseen] = pages as [LabelledPage]
  const text = extractMain(seePage(unseen.html), unseen.url, model)?.text
  expect(unseen.truth).toEqual({ kind: 'content', content: text })
})

test('the share of a block that stands in the truth is what is learned', () => {
  const { targets } = exampleOf({
    ...syntheticPage(0),
    html: '<p>one two three four</p><p>five six seven eight nine</p><p>ten</p><p>ten</p><p>one two three four eleven twelve</p>',
    truth: { kind: 'content', content: 'one two three four\nten' },
  })
  expect(Array.from(targets)).toEqual([1, 0, 0.5, 0.5, 0.5])
})

test('of a page with snippets, only the blocks that have one are learned', () => {
  const { targets, chosen } = exampleOf({
    ...syntheticPage(0),
    html: '<p>one two</p><p>three  four</p><p>five four</p><p>six</p>',
    truth: { kind: 'snippets', with: ['three four'], without: ['six', 'four'] },
  })
  expect(Array.from(chosen)).toEqual([1, 2, 3])
  expect(Array.from(chosen, (block) => targets[block])).toEqual([1, 0, 0])
})
