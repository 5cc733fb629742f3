import { expect, test } from 'vitest'
import { writeBlocks } from '../blocks.ts'
import { openDocument } from '../open-document.ts'
import { type DrawnPage, type DrawnText, pdf } from '../pdf.fixture.ts'
import { openPdf } from './open-pdf.ts'
import type { Recognise } from './tesseract.ts'

async function textsOf(...pages: readonly DrawnPage[]): Promise<string[]> {
  const { pages: read } = await openDocument(pdf(pages), { first: 1, count: 100 })
  const texts: string[] = []
  for await (const { blocks } of read(1)) texts.push(writeBlocks(blocks))
  return texts
}

/** Lines of text below each other, 12 points apart. */
const lines = (x: number, y: number, texts: readonly string[], look: Partial<DrawnText> = {}) =>
  texts.map((text, index) => ({ text, x, y: y - index * 12, ...look }))
const prose = (word: string, count: number) =>
  Array.from(
    { length: count },
    (_, line) => `the ${word} of line ${line} ran past the old mill and`,
  )

test('text in two columns is read column by column, below a title that spans them', async () => {
  const [text = ''] = await textsOf({
    texts: [
      { text: 'The mill and its river', x: 200, y: 740, size: 18 },
      // Interleaved, as programs write them.
      ...lines(60, 700, prose('left', 8)).flatMap((left, index) => [
        left,
        ...lines(320, 700, prose('right', 8)).slice(index, index + 1),
      ]),
    ],
  })
  expect(text).toMatch(/^# The mill and its river\n\n/)
  const places = ['left of line 0', 'left of line 7', 'right of line 0', 'right of line 7']
  const found = places.map((place) => text.indexOf(place))
  expect(found).toEqual([...found].sort((one, other) => one - other))
  expect(found).not.toContain(-1)
})

test('a large heading in one column is not part of the small text beside it', async () => {
  const [text = ''] = await textsOf({
    texts: [
      ...lines(60, 700, prose('left', 8)),
      ...lines(229, 700, prose('right', 3)),
      { text: '3 Results', x: 229, y: 664, size: 14 },
      ...lines(229, 645, prose('last', 4)),
    ].map((each) => ('size' in each ? each : { ...each, size: 9 })),
  })
  expect(text).toMatch(/^#+ 3 Results$/m)
  expect(text.indexOf('left of line 7')).toBeLessThan(text.indexOf('right of line 0'))
})

test('justified lines with wide gaps are a paragraph', async () => {
  const widths = [180, 170, 195, 160]
  const [text] = await textsOf({
    texts: widths.flatMap((x, line) => [
      {
        text: ['Furthermore,', 'characteristics', 'responsibility', 'was maintained'][line] ?? '',
        x: line === 0 ? 75 : 60,
        y: 700 - line * 12,
      },
      { text: 'notwithstanding', x, y: 700 - line * 12 },
      { text: 'instrumentation', x: 290, y: 700 - line * 12 },
    ]),
  })
  expect(text).not.toContain('|')
  expect(text).toMatch(/^Furthermore, notwithstanding instrumentation characteristics/)
})

test('ligatures of TeX without names are letters', async () => {
  const [text] = await textsOf({
    texts: [{ text: 'the \u001drst \u001cnal o\u001bice', x: 60, y: 700, font: 'Courier' }],
  })
  expect(text).toContain('flrst final office')
})

test('columns less than a letter apart are columns where their texts begin at one place', async () => {
  const rows = ['Rye', 'Oats', 'Spelt', 'Barley', 'Wheat']
  const [text] = await textsOf({
    texts: rows.flatMap((grain, index) => [
      { text: `${grain} flour`, x: 60, y: 700 - index * 13 },
      { text: 'North', x: 122, y: 700 - index * 13 },
      { text: String(index * 7), x: 170, y: 700 - index * 13 },
    ]),
  })
  expect(text).toContain('| Barley flour | North | 21 |')
})

test('the last row of a statement is not a running foot', async () => {
  const row = (page: number, y: number, index: number): DrawnText[] => [
    { text: `0${page}.05.2026`, x: 60, y },
    { text: 'Card payment', x: 150, y },
    { text: `${index}.50`, x: 300, y },
    { text: `${index * 3}.20`, x: 400, y },
  ]
  const texts = await textsOf(
    ...[1, 2, 3].map((page) => ({
      texts: [
        ...Array.from({ length: 30 }, (_, index) => row(page, 680 - index * 21, index)).flat(),
        { text: `Page ${page} of 3`, x: 280, y: 30 },
      ],
    })),
  )
  for (const [index, text] of texts.entries()) {
    expect(text).toContain(`| 0${index + 1}.05.2026 | Card payment | 29.50 | 87.20 |`)
    expect(text).not.toContain('of 3')
  }
})

test('what was filled into a form stands at its place', async () => {
  const [text] = await textsOf({
    texts: [
      { text: 'Name:', x: 60, y: 703 },
      { text: 'Rye:', x: 60, y: 663 },
      { text: 'Oats:', x: 60, y: 623 },
    ],
    fields: [
      '/FT /Tx /T (name) /V (Anna Weber) /DA (/Helv 10 Tf) /Rect [95 700 250 716]',
      '/FT /Btn /T (rye) /V /Yes /AS /Yes /AP << /N << /Yes null >> >> /Rect [85 660 97 672]',
      '/FT /Btn /T (oats) /V /Off /AS /Off /AP << /N << /Yes null >> >> /Rect [90 620 102 632]',
      '/FT /Tx /T (secret) /V (no) /F 2 /Rect [95 580 250 596]',
    ],
  })
  expect(text).toBe('Name: Anna Weber\n\nRye: ☒\n\nOats: ☐')
})

test('a page that lies on its side is read as it stands upright', async () => {
  const [text] = await textsOf({
    texts: ['The first line', 'and the second line'].map((line, index) => ({
      text: line,
      isTurned: true,
      x: 100 + index * 12,
      y: 80,
    })),
  })
  expect(text).toBe('The first line\n\nand the second line')
})

test('what the crop box cuts off is left out', async () => {
  const [text] = await textsOf({
    texts: [
      { text: 'Seen by all', x: 100, y: 700 },
      { text: 'Colour bar of the printer', x: 100, y: 20 },
    ],
    crop: [50, 50, 562, 742],
  })
  expect(text).toBe('Seen by all')
})

test('letters set apart are words, and letters in a row are not', async () => {
  const [text] = await textsOf({
    texts: [
      { text: 'E D U C A T I O N', x: 60, y: 700 },
      { text: 'A B C D E', x: 60, y: 640 },
    ],
  })
  expect(text).toBe('EDUCATION\n\nA B C D E')
})

test('left and right pages have heads of their own, and the first page of a chapter has none', async () => {
  const body = (page: number) =>
    lines(
      60,
      680,
      prose('rye oats barley spelt wheat maize millet hay'.split(' ')[page - 1] ?? '', 6),
    )
  const head = (page: number): DrawnText[] => {
    if (page === 1) return []
    const text = page % 2 === 0 ? `${page}   CHAPTER 1. THE RIVER` : `1.${page}. PART   ${page}`
    return [{ text, x: 60, y: 740 }]
  }
  const texts = await textsOf(
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((page) => ({ texts: [...head(page), ...body(page)] })),
  )
  expect(texts.join('\n')).not.toMatch(/CHAPTER|PART/)
  expect(texts.every((text) => text.includes('of line 0'))).toBe(true)
})

test('a table with lines is read by its lines, merged cells and all', async () => {
  const [text] = await textsOf({
    texts: [
      { text: 'Year', x: 105, y: 685 },
      { text: 'Sacks of rye', x: 205, y: 685 },
      { text: '1801', x: 105, y: 665 },
      { text: '90', x: 205, y: 665 },
      { text: '75', x: 305, y: 665 },
      { text: '1802', x: 105, y: 645 },
      { text: 'a long', x: 205, y: 650, size: 7 },
      { text: 'remark', x: 205, y: 642, size: 7 },
      { text: '80', x: 305, y: 645 },
    ],
    lines: [
      ...[700, 680, 660, 640].map((y) => [100, y, 400, y] as const),
      [100, 700, 100, 640],
      [200, 700, 200, 640],
      // The head of the last two columns is merged.
      [300, 680, 300, 640],
      [400, 700, 400, 640],
    ],
  })
  expect(text).toBe(
    '| Year | Sacks of rye | Sacks of rye |\n| --- | --- | --- |\n| 1801 | 90 | 75 |\n| 1802 | a long remark | 80 |',
  )
})

test('texts that stand in columns are a table', async () => {
  const rows = [
    ['Item', 'Sacks', 'Price'],
    ['Rye', '90', '3.50'],
    ['Oats', '120', '4.25'],
    ['Wheat', '75', '5.00'],
  ]
  const texts = rows.flatMap((row, index) =>
    row.map((text, column) => ({ text, x: 80 + column * 120, y: 700 - index * 14 })),
  )
  const [text] = await textsOf({
    texts: [...texts, { text: 'A line below the table.', x: 80, y: 600 }],
  })
  expect(text).toBe(
    '| Item | Sacks | Price |\n| --- | --- | --- |\n| Rye | 90 | 3.50 |\n| Oats | 120 | 4.25 |\n| Wheat | 75 | 5.00 |\n\nA line below the table.',
  )
})

test('a cell that wraps stays in its row', async () => {
  const texts = [
    ...lines(80, 700, ['Name', 'Ada', 'Bob']).map((each, index) => ({
      ...each,
      y: 700 - index * 40,
    })),
    { text: 'Remark', x: 200, y: 700 },
    ...lines(200, 660, ['She counts the sacks', 'of flour by hand']),
    // A wide space parts a line of justified text.
    { text: 'all', x: 320, y: 648 },
    ...lines(200, 620, ['He does not count, he only carries the sacks']),
  ]
  expect(await textsOf({ texts })).toEqual([
    '| Name | Remark |\n| --- | --- |\n| Ada | She counts the sacks of flour by hand all |\n| Bob | He does not count, he only carries the sacks |',
  ])
})

test('divided words are joined, and paragraphs part at gaps and at lines that end early', async () => {
  const [text] = await textsOf({
    texts: [
      ...lines(60, 700, [
        'The river ran past the old mill, and the miller counted his consider-',
        'able stock of flour, which he kept behind a well-known door of the mill.',
        'It was late.',
        'The next day began with rain and with a cart that came for forty sacks of',
        'flour.',
      ]),
      ...lines(60, 620, ['After a gap.']),
    ],
  })
  expect(text?.split('\n\n')).toEqual([
    expect.stringMatching(/his considerable stock .* well-known door .* late\.$/),
    expect.stringMatching(/^The next day .* of flour\.$/),
    'After a gap.',
  ])
})

test('lists, headings by size and weight, and code', async () => {
  const [text] = await textsOf({
    texts: [
      { text: 'Large', x: 60, y: 740, size: 20 },
      { text: 'Medium', x: 60, y: 710, size: 14 },
      { text: 'Bold', x: 60, y: 690, font: 'Helvetica-Bold' },
      { text: '- rye that is long and goes on and on until the end of its line', x: 60, y: 670 },
      { text: 'and wraps', x: 68, y: 658 },
      { text: '- dark rye', x: 80, y: 646 },
      { text: '2. oats', x: 60, y: 634 },
      { text: 'if sacks > 1:', x: 60, y: 600, font: 'Courier' },
      { text: 'mill\\(\\)', x: 84, y: 588, font: 'Courier' },
    ],
  })
  expect(text).toBe(
    '# Large\n\n## Medium\n\n### Bold\n\n- rye that is long and goes on and on until the end of its line and wraps\n  - dark rye\n2. oats\n\n```\nif sacks > 1:\n    mill\\(\\)\n```',
  )
})

test('heads and page numbers that pages repeat are left out; other lines there stay', async () => {
  const pages = ['one', 'two', 'three', 'four'].map((word, index) => ({
    texts: [
      { text: 'Annual report of the mill', x: 60, y: 760 },
      ...(word === 'two' ? [{ text: 'Only here', x: 300, y: 740 }] : []),
      ...lines(60, 700, [`This is page ${word}.`]),
      { text: `Page ${index + 1} of 4`, x: 280, y: 30 },
    ],
  }))
  expect(await textsOf(...pages)).toEqual([
    'This is page one.',
    'Only here\n\nThis is page two.',
    'This is page three.',
    'This is page four.',
  ])
})

test('the head of a table that goes on is not taken for a running head', async () => {
  const page = (from: number) => ({
    texts: ['Year', from, from + 1, from + 2].flatMap((value, index) => [
      { text: String(value), x: 60, y: 750 - index * 14 },
      { text: index === 0 ? 'Sacks' : String(index * 10), x: 200, y: 750 - index * 14 },
    ]),
  })
  const texts = await textsOf(page(1801), page(1804), page(1807))
  expect(texts.every((text) => text.startsWith('| Year | Sacks |'))).toBe(true)
})

const picture = { width: 60, height: 80, pixels: Buffer.alloc(4_800, 200) }
const stamp = 'Case 1:20-cv-00123 Document 45 Filed 03/02/21 Page 3 of 20'
const stamped = { picture, texts: [{ text: stamp, x: 100, y: 772 }] }

/** Recognises these texts in the middle of each picture. */
const recognising =
  (...texts: readonly string[]): Recognise =>
  async () => ({
    width: 612,
    height: 792,
    rules: [],
    runs: texts.map((text, index) => ({
      text,
      left: 72,
      right: 500,
      top: 292 + index * 12,
      bottom: 302 + index * 12,
      baseline: 300 + index * 12,
      size: 10,
      isBold: false,
      isMonospace: false,
      isRightToLeft: false,
    })),
  })

async function readScans(recognise: Recognise | undefined, ...pages: readonly DrawnPage[]) {
  const { pages: read } = await openPdf(pdf(pages), recognise)
  const found = []
  for await (const { blocks, title: _title, ...marks } of read(1))
    found.push({ text: writeBlocks(blocks), ...marks })
  return found
}

test('a scan under a printed head is recognised, and its head stands above its text', async () => {
  const recognise = recognising('The river ran past', 'the old mill.')
  expect(await readScans(recognise, stamped)).toEqual([
    { text: `${stamp}\n\nThe river ran past the old mill.`, isRecognised: true },
  ])
})

test('a short foot that is printed on a scan stands below its text', async () => {
  const footed = { picture, texts: [{ text: 'Page 3 of 5 - ACME', x: 250, y: 20 }] }
  expect(await readScans(recognising('The river ran past'), footed)).toEqual([
    { text: 'The river ran past\n\nPage 3 of 5 - ACME', isRecognised: true },
  ])
})

test('a printed head that all scans have is left out', async () => {
  const pages = [stamped, stamped, stamped]
  const found = await readScans(recognising('The river ran'), ...pages)
  expect(found).toEqual(pages.map(() => ({ text: 'The river ran', isRecognised: true })))
})

test('a scan under a printed head that cannot be recognised is unread, and its head is told', async () => {
  const unread = { text: stamp, isUnreadScan: true }
  expect(await readScans(undefined, stamped)).toEqual([unread])
  expect(await readScans(async () => undefined, stamped)).toEqual([unread])
})

test('a picture without letters under a title is not a scan, and text over a picture is not one either', async () => {
  const slide = { picture, texts: [{ text: stamp, x: 100, y: 400 }] }
  expect(await readScans(recognising(), stamped)).toEqual([{ text: stamp }])
  expect(await readScans(recognising('noise'), slide)).toEqual([{ text: stamp }])
})
