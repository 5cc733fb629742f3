import { expect, test } from 'vitest'
import { readBody } from './read-body.ts'

const paragraphs = [
  'The old mill at the bend of the river has been sold to a cooperative of bakers, who plan to grind their own flour again from the spring onwards.',
  'For nine months, volunteers have repaired the dam, cleaned the race and replaced forty paddles of the wheel, using oak from the woods above the village.',
  '“We did not want to buy flour from three hundred kilometres away any more,” said Marta Lind, one of the founders. “The grain grows outside our door.”',
  'The council supports the plan with a loan of ninety thousand euros, which the cooperative will pay back over fifteen years from the sale of bread and flour.',
]
const article = `<article><h1>Bakers buy the old mill</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('')}</article>`

const comments = [
  'Great news! My grandfather worked there in the fifties, and he always said that the wheel would turn again one day.',
  'I hope that they think of the fish. The dam is the only obstacle for trout between here and the sea.',
  'Ninety thousand euros is a lot of money for a village that cannot repair its own school roof, if you ask me.',
]
const teasers = [
  'Library opens on Sundays',
  'Ferry timetable changes in May',
  'Storm damages the pier',
].map(
  (title) =>
    `<div class="teaser"><h3><a href="/n">${title}</a></h3><p>The council decided on Tuesday evening, after a long debate, and the change will take effect next month. Read more</p></div>`,
)
const nextArticle =
  '<article><h1>Swimming pool stays closed</h1><p>The indoor swimming pool will stay closed until autumn, because the tiles around the basin came loose during the winter.</p><p>An expert from the manufacturer will inspect the work in June, and only then will the council decide who pays for the repair.</p></article>'

function readPage(after: string, before = article): string {
  const head =
    '<title>Bakers buy the old mill | River Post</title><meta property="og:type" content="article">'
  const menu = '<nav><a href="/">Home</a> <a href="/news">News</a> <a href="/sport">Sport</a></nav>'
  const footer = '<footer>© River Post. <a href="/imprint">Imprint</a></footer>'
  const body = `${head}<header>${menu}</header><main>${before}${after}</main>${footer}`
  const page = {
    kind: 'html',
    body,
    finalUrl: 'https://post.example/2026/bakers-buy-mill',
  } as const
  return readBody(page, { format: 'markdown', mainContent: true }).content
}

const replies = (count: number) =>
  Array.from(
    { length: count },
    (_each, index) =>
      `<div class="comment"><b>Reader ${index}</b><p>${comments[index % comments.length]}</p></div>`,
  ).join('')

const followers: readonly (readonly [string, string, readonly string[]])[] = [
  ...[3, 20].map(
    (count) =>
      [
        `${count} comments`,
        `<section id="comments"><h2>${count} comments</h2>${replies(count)}</section>`,
        comments,
      ] as const,
  ),
  [
    'the latest news',
    `<section class="latest"><h2>Latest</h2>${teasers.join('')}</section>`,
    ['Ferry timetable', 'The council decided on Tuesday'],
  ],
  ['the next article', nextArticle, ['Swimming pool', 'An expert from the manufacturer']],
]

test.each(followers)(
  'an article is read to its end, and %s after it are left out',
  (_what, after, gone) => {
    const content = readPage(after)
    expect(paragraphs.filter((text) => !content.includes(text))).toEqual([])
    expect(gone.filter((text) => content.includes(text))).toEqual([])
  },
)

test('the text of an article may follow an element that holds only its head', () => {
  const head = `<article><h1>Bakers buy the old mill</h1><p>${paragraphs[0]}</p></article>`
  const text = paragraphs.slice(1).map((each) => `<p>${each}</p>`)
  const content = readPage(`<div class="story-body">${text.join('')}</div>`, head)
  expect(paragraphs.filter((each) => !content.includes(each))).toEqual([])
})
