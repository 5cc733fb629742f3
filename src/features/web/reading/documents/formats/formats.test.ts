import { expect, test } from 'vitest'
import { docx, relationsPart, xlsx, zip } from '../archive.fixture.ts'
import { writeBlocks } from '../blocks.ts'
import type { PageContent } from '../document.ts'
import { openDocument } from '../open-document.ts'

async function read(bytes: Buffer, fileName = '') {
  const document = await openDocument(bytes, { first: 1, count: 100, fileName })
  const pages: PageContent[] = []
  for await (const page of document.pages(1)) pages.push(page)
  return { ...document, pages, texts: pages.map(({ blocks }) => writeBlocks(blocks)) }
}
const textOf = async (bytes: Buffer) => (await read(bytes)).texts.join('\n\n---\n\n')

const run = (text: string, look = '') => `<w:r><w:rPr>${look}</w:rPr><w:t>${text}</w:t></w:r>`
const p = (content: string, look = '') => `<w:p><w:pPr>${look}</w:pPr>${content}</w:p>`
const style = (id: string) => `<w:pStyle w:val="${id}"/>`
const item = (list: number, level: number, text: string) =>
  p(run(text), `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`)

const wordParts = {
  'word/styles.xml': `<w:styles>
    <w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="de-CH"/></w:rPr></w:rPrDefault></w:docDefaults>
    <w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>
    <w:style w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="H2"/></w:style>
    <w:style w:styleId="H2"><w:name w:val="H2"/><w:basedOn w:val="Own"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>`,
  'word/numbering.xml': `<w:numbering>
    <w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
    <w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum>
    <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
  'word/footnotes.xml': `<w:footnotes><w:footnote w:id="7">${p(run('By hand.'))}</w:footnote></w:footnotes>`,
}

test('Word: headings, styles of characters, links and lists', async () => {
  const bytes = docx(
    [
      p(run('The mill'), style('H1')),
      p(run('Its wheel'), style('Own')),
      p(
        `${run('The ')}${run('old', '<w:b/>')}${run('er', '<w:b/>')} ${run('mill', '<w:i w:val="0"/>')}`,
      ),
      p(`<w:hyperlink r:id="r4">${run('map')}</w:hyperlink>`),
      item(1, 0, 'rye'),
      item(1, 1, 'dark rye'),
      item(2, 0, 'third'),
      item(2, 0, 'fourth'),
    ].join(''),
    wordParts,
  )
  const document = await read(bytes)
  expect(document.texts).toEqual([
    '# The mill\n\n## Its wheel\n\nThe **older**mill\n\n[map](https://example.com/a_%28b%29)\n\n- rye\n  - dark rye\n3. third\n4. fourth',
  ])
  expect(document.metadata).toMatchObject({
    title: 'Mill report',
    author: 'Ada Miller',
    language: 'de-CH',
    created: '2026-03-04T05:06:07Z',
  })
})

test('Word: tracked changes are accepted, and what was deleted is gone', async () => {
  const body = p(
    `${run('kept ')}<w:ins>${run('new ')}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:moveFrom>${run('away')}</w:moveFrom>`,
  )
  expect(await textOf(docx(body))).toBe('kept new')
})

test('Word: hidden text is left out, by itself or by its style', async () => {
  const hidden = '<w:r><w:rPr><w:vanish/></w:rPr><w:t>no</w:t></w:r>'
  const byStyle = '<w:r><w:rPr><w:rStyle w:val="Secret"/></w:rPr><w:t>no</w:t></w:r>'
  const shown =
    '<w:r><w:rPr><w:rStyle w:val="Secret"/><w:vanish w:val="0"/></w:rPr><w:t>yes</w:t></w:r>'
  const styles = {
    'word/styles.xml':
      '<w:styles><w:style w:styleId="Base"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId="Secret"><w:basedOn w:val="Base"/></w:style></w:styles>',
  }
  const paragraph = `<w:p><w:pPr><w:pStyle w:val="Secret"/></w:pPr>${run('no')}</w:p>`
  const body = p(`${run('kept ')}${hidden}${byStyle}${shown}`) + paragraph
  expect(await textOf(docx(body, { ...wordParts, ...styles }))).toBe('kept yes')
})

test('Word: footnotes follow the text, and their marks name them', async () => {
  const body = p(`${run('Counted.')}<w:r><w:footnoteReference w:id="7"/></w:r>`)
  expect(await textOf(docx(body, wordParts))).toBe('Counted.[^7]\n\n[^7]: By hand.')
})

test('Word: the text of a merged cell is in each place that it covers', async () => {
  const cell = (text: string, look = '') => `<w:tc><w:tcPr>${look}</w:tcPr>${p(run(text))}</w:tc>`
  const body = `<w:tbl>
    <w:tr>${cell('Sacks', '<w:gridSpan w:val="2"/>')}${cell('Year', '<w:vMerge w:val="restart"/>')}</w:tr>
    <w:tr>${cell('rye')}${cell('a|b')}${cell('', '<w:vMerge/>')}</w:tr></w:tbl>`
  expect(await textOf(docx(body))).toBe(
    '| Sacks | Sacks | Year |\n| --- | --- | --- |\n| rye | a\\|b | Year |',
  )
})

test('Word: a page ends where Word recorded its end, or after 6,000 characters', async () => {
  const pages = await read(
    docx(p(run('one')) + p('<w:r><w:br w:type="page"/></w:r>') + p(run('two'))),
  )
  expect(pages.texts).toEqual(['one', 'two'])
  const long = await read(docx(p(run('word '.repeat(200))).repeat(12)))
  expect(long.texts.length).toBe(3)
})

test('Word: text that looks like Markdown is shown as it is', async () => {
  expect(await textOf(docx(p(run('# 5 * 3 &lt;b&gt; snake_case _x_'))))).toBe(
    '\\# 5 \\* 3 \\<b> snake_case \\_x\\_',
  )
})

const sheetStyles = {
  'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="d\\.\\ mmm\\ yyyy"/><numFmt numFmtId="171" formatCode="[h]:mm"/></numFmts>
    <cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="22"/><xf numFmtId="10"/><xf numFmtId="171"/></cellXfs></styleSheet>`,
  'xl/strings.xml':
    '<sst><si><r><t>Ry</t></r><r><t>e_x000D_</t></r><rPh><t>x</t></rPh></si><si><t>Total</t></si></sst>',
}

test.each(['sep=;\r\nName;Sacks\r\nA, B;9\r\n', '\ufeff"sep=;"\nName;Sacks\nA, B;9'])(
  'CSV: a line that names the delimiter is not a row',
  async (text) => {
    expect(await textOf(Buffer.from(text))).toBe('| Name | Sacks |\n| --- | --- |\n| A, B | 9 |')
  },
)

test('Excel: texts, dates, percentages, durations, formulas and truth values', async () => {
  const rows = `<sheetData>
    <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>B</t></is></c></row>
    <row r="2"><c r="A2" s="1"><v>45352</v></c><c r="B2" s="2"><v>45352.5</v></c></row>
    <row r="3"><c r="A3" s="3"><v>0.125</v></c><c r="B3" s="4"><v>1.5</v></c></row>
    <row r="4"><c r="A4"><f>A1+B1</f><v>0.30000000000000004</v></c><c r="B4"><f>SUM(B1:B3)</f></c></row>
    <row r="5"><c r="A5" t="b"><v>1</v></c><c r="B5" t="e"><v>#DIV/0!</v></c></row></sheetData>`
  const { pages } = await read(xlsx({ Mill: rows }, { parts: sheetStyles }))
  expect(pages[0]).toMatchObject({ title: 'Mill' })
  expect(pages[0]?.blocks).toEqual([
    {
      kind: 'table',
      rows: [
        ['Rye', 'B'],
        ['2024-03-01', '2024-03-01 12:00:00'],
        ['12.5%', '36:00:00'],
        ['0.3', '=SUM(B1:B3)'],
        ['TRUE', '#DIV/0!'],
      ],
    },
  ])
})

test('Excel: empty rows part tables, a title is a paragraph, and merged cells are filled', async () => {
  const cell = (place: string, value: string) => `<c r="${place}" t="str"><v>${value}</v></c>`
  const rows = `<sheetData>
    <row r="1">${cell('A1', 'Sales')}</row>
    <row r="3">${cell('B3', 'Year')}${cell('C3', 'Sacks')}</row>
    <row r="4">${cell('B4', '1801')}${cell('C4', '90')}</row>
    <row r="5">${cell('C5', '75')}</row></sheetData>
    <mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="B4:B5"/></mergeCells>`
  expect(await textOf(xlsx({ Mill: rows }))).toBe(
    'Sales\n\n| Year | Sacks |\n| --- | --- |\n| 1801 | 90 |\n| 1801 | 75 |',
  )
})

test('Excel: a long sheet continues on further pages with the head of its table', async () => {
  const rows = Array.from(
    { length: 3_000 },
    (_, row) => `<row><c><v>${row}</v></c><c><v>${row * 2}</v></c></row>`,
  )
  const { pages, texts } = await read(xlsx({ Mill: `<sheetData>${rows.join('')}</sheetData>` }))
  expect(pages.length).toBe(3)
  expect(texts.every((text) => text.startsWith('| 0 | 0 |\n') && text.length <= 20_100)).toBe(true)
  expect(texts.join('\n')).toContain('| 2999 | 5998 |')
})

test('PowerPoint: title, bullets, tables in reading order, notes, and hidden slides', async () => {
  const place = (x: number, y: number) =>
    `<p:spPr><a:xfrm><a:off x="${x}" y="${y}"/></a:xfrm></p:spPr>`
  const shape = (kind: string, text: string, at = '') =>
    `<p:sp><p:nvSpPr><p:nvPr>${kind}</p:nvPr></p:nvSpPr>${at}<p:txBody>${text}</p:txBody></p:sp>`
  const line = (text: string, look = '') =>
    `<a:p><a:pPr ${look}/><a:r><a:t>${text}</a:t></a:r></a:p>`
  const cells = (...texts: string[]) =>
    `<a:tr>${texts.map((text) => `<a:tc><a:txBody>${line(text)}</a:txBody></a:tc>`).join('')}</a:tr>`
  const slide = `<p:sld show="0"><p:cSld><p:spTree>
    ${shape('', line('right'), place(9_000_000, 1_000_000))}
    ${shape('', line('left'), place(1_000_000, 1_050_000))}
    <p:graphicFrame><p:xfrm><a:off x="0" y="5000000"/></p:xfrm><a:tbl>${cells('Year', 'Sacks')}${cells('1801', '90')}</a:tbl></p:graphicFrame>
    ${shape('<p:ph type="title"/>', line('The mill'), place(0, 0))}
    ${shape('<p:ph idx="1"/>', line('rye') + line('dark', 'lvl="1"'), place(0, 3_000_000))}
    ${shape('<p:ph type="sldNum"/>', line('12'))}
  </p:spTree></p:cSld></p:sld>`
  const bytes = zip({
    '_rels/.rels': relationsPart([['r1', 'officeDocument', 'ppt/presentation.xml']]),
    'ppt/presentation.xml':
      '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r9"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relationsPart([['r9', 'slide', 'slides/one.xml']]),
    'ppt/slides/one.xml': slide,
    'ppt/slides/_rels/one.xml.rels': relationsPart([['r1', 'notesSlide', '../notes/one.xml']]),
    'ppt/notes/one.xml': `<p:notes><p:cSld><p:spTree>${shape('<p:ph type="body"/>', line('Say it.'))}</p:spTree></p:cSld></p:notes>`,
  })
  const { pages, texts } = await read(bytes)
  expect(pages[0]).toMatchObject({ title: 'The mill', isHidden: true })
  expect(texts).toEqual([
    '# The mill\n\nleft\n\nright\n\n- rye\n  - dark\n\n| Year | Sacks |\n| --- | --- |\n| 1801 | 90 |\n\n## Notes\n\nSay it.',
  ])
})

test('EPUB: chapters in the order of the spine, with tables and metadata', async () => {
  const bytes = zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="o/a.opf"/></rootfiles></container>',
    'o/a.opf': `<package><metadata><dc:title>Mills</dc:title><dc:creator>Ada</dc:creator><dc:creator>Bob</dc:creator><dc:language>en</dc:language></metadata>
      <manifest><item id="b" href="b.xhtml"/><item id="a" href="a%20a.xhtml"/></manifest>
      <spine><itemref idref="a"/><itemref idref="b"/></spine></package>`,
    'o/a a.xhtml':
      '<html><head><title/></head><body><h1>One</h1><p>The <b>river</b>.</p></body></html>',
    'o/b.xhtml':
      '<html><body><h1>Two</h1><table><tr><th>Year</th></tr><tr><td>1801</td></tr></table></body></html>',
  })
  const { pages, texts, metadata } = await read(bytes)
  expect(pages.map(({ title }) => title)).toEqual(['One', 'Two'])
  expect(texts[0]).toBe('# One\n\nThe **river**.')
  expect(pages[1]?.blocks).toContainEqual({ kind: 'table', rows: [['Year'], ['1801']] })
  expect(metadata).toMatchObject({ title: 'Mills', author: 'Ada, Bob', language: 'en' })
})

test.each([
  ['semicolons', 'Name;Sacks\nMüller;1,5\n"a;b";"2\n3"\n'],
  ['tabs', 'Name\tSacks\nMüller\t1,5\na;b\t"2\n3"\n'],
  ['a byte order mark and commas', '\ufeffName,Sacks\nMüller,"1,5"\na;b,"2\n3"\n'],
])('CSV with %s', async (_name, text) => {
  const { pages } = await read(Buffer.from(text), 'mill.csv')
  expect(pages[0]?.blocks).toEqual([
    {
      kind: 'table',
      rows: [
        ['Name', 'Sacks'],
        ['Müller', '1,5'],
        ['a;b', '2\n3'],
      ],
    },
  ])
})

test('CSV in UTF-16 and in a charset of one byte is decoded', async () => {
  const utf16 = await read(Buffer.from('\ufeffA\tB\nMüller\t1\n', 'utf16le'))
  expect(utf16.texts[0]).toContain('| Müller | 1 |')
  const latin = await read(Buffer.from('A;B\nM\xfcller;Gr\xf6\xdfe\n', 'latin1'), 'a.csv')
  expect(latin.texts[0]).toContain('| Müller | Größe |')
})

test('text that is not a table is refused', async () => {
  await expect(read(Buffer.from('The river ran past the old mill.'))).rejects.toMatchObject({
    trouble: 'document_unreadable',
  })
})

test('Word: a heading stands on the page of the text that follows it, and is its title', async () => {
  const chapters = [1, 2, 3].map((number) => {
    const line = run('The river ran past the old mill. '.repeat(60))
    return p(run(`Chapter ${number}`), style('H1')) + p(line).repeat(3)
  })
  const { pages } = await read(docx(chapters.join(''), wordParts))
  expect(pages.map(({ title }) => title)).toEqual(['Chapter 1', 'Chapter 2', 'Chapter 3'])
  expect(pages.map(({ blocks }) => blocks.at(-1)?.kind)).not.toContain('heading')
})
