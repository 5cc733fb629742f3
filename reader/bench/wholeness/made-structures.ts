// Tables, lists and the like as pages have them: what a reader must take or leave as one.
import type { Writer } from './made-text.ts'

export const structureKinds = {
  'table of two rows': (writer) => table(writer, { rows: 1, columns: 3 }),
  'table of numbers': (writer) => table(writer, { rows: writer.count(4, 12), columns: 4 }),
  'long table': (writer) => table(writer, { rows: writer.count(30, 60), columns: 5 }),
  'table of sentences': (writer) =>
    table(writer, { rows: writer.count(3, 5), columns: 2, cell: writer.sentence }),
  'table with a caption': (writer) =>
    table(writer, { rows: writer.count(2, 6), columns: 3, caption: writer.sentence() }),
  'list of labels': (writer) => list(writer, 'ul', writer.label, writer.count(3, 8)),
  'list of sentences': (writer) => list(writer, 'ul', writer.sentence, writer.count(3, 6)),
  'list of steps': (writer) => list(writer, 'ol', writer.sentence, writer.count(3, 9)),
  'nested list': nestedList,
  'list of links': (writer) =>
    list(
      writer,
      'ul',
      () => `<a href="https://${writer.count(100, 999)}.example/">${writer.sentence()}</a>`,
      writer.count(2, 5),
    ),
  quotation: (writer) =>
    `<blockquote>${paragraphs(writer, writer.count(1, 3))}<p>— ${writer.person()}</p></blockquote>`,
  listing,
  'definition list': (writer) => definitions(writer, writer.sentence),
  'list of data': (writer) => definitions(writer, writer.amount),
  figure: (writer) =>
    `<figure><img src="/images/${writer.count(100, 999)}.jpg" alt=""><figcaption>${writer.sentence()}</figcaption></figure>`,
  contact,
} satisfies Readonly<Record<string, (writer: Writer) => string>>

export type StructureKind = keyof typeof structureKinds

const repeat = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_each, index) => make(index)).join('')

function paragraphs(writer: Writer, count: number): string {
  return repeat(count, () => `<p>${writer.paragraph()}</p>`)
}

interface TableShape {
  readonly rows: number
  readonly columns: number
  readonly cell?: () => string
  readonly caption?: string
}

function table(
  writer: Writer,
  { rows, columns, cell = writer.amount, caption }: TableShape,
): string {
  const head = `<tr>${repeat(columns, () => `<th>${writer.label()}</th>`)}</tr>`
  const body = repeat(
    rows,
    () => `<tr><td>${writer.label()}</td>${repeat(columns - 1, () => `<td>${cell()}</td>`)}</tr>`,
  )
  const parts = writer.pick([
    `<thead>${head}</thead><tbody>${body}</tbody>`,
    `<tbody>${head}${body}</tbody>`,
  ])
  return `<table>${caption === undefined ? '' : `<caption>${caption}</caption>`}${parts}</table>`
}

function list(writer: Writer, name: 'ul' | 'ol', item: () => string, items: number): string {
  const wrap = writer.pick([
    (text: string) => `<li>${text}</li>`,
    (text: string) => `<li><p>${text}</p></li>`,
  ])
  return `<${name}>${repeat(items, () => wrap(item()))}</${name}>`
}

function nestedList(writer: Writer): string {
  const inner = () => list(writer, 'ul', writer.label, writer.count(2, 4))
  return `<ul>${repeat(writer.count(2, 4), () => `<li>${writer.sentence()}${inner()}</li>`)}</ul>`
}

function listing(writer: Writer): string {
  const name = () => writer.noun().toLowerCase()
  const line = () =>
    writer.pick([
      `const ${name()} = await open('${name()}', ${writer.count(1, 99)})`,
      `if (${name()}.${name()} &gt; ${writer.count(1, 99)}) return ${name()}`,
      `// ${writer.sentence()}`,
      `${name()}.${name()}(${name()}, ${name()})`,
      '',
    ])
  const lines = Array.from({ length: writer.count(3, 20) }, line).join('\n')
  return `<pre><code>import { ${name()} } from '${name()}'\n${lines}\n${name()}.close()</code></pre>`
}

function definitions(writer: Writer, definition: () => string): string {
  return `<dl>${repeat(writer.count(3, 7), () => `<dt>${writer.label()}</dt><dd>${definition()}</dd>`)}</dl>`
}

function contact(writer: Writer): string {
  const lines = [
    writer.person(),
    `${writer.noun()} Street ${writer.count(1, 240)}`,
    `${writer.count(10_000, 99_999)} ${writer.pick(['Bristol', 'Münster', 'Graz', 'Leeds'])}`,
    `${writer.pick(['Tel.', 'Telephone:', 'Phone'])} +${writer.count(30, 49)} ${writer.count(100, 999)} ${writer.count(100_000, 999_999)}`,
  ]
  return writer.pick([
    `<p>${lines.join('<br>')}</p>`,
    `<address>${lines.join('<br>')}</address>`,
    `<p>${lines.slice(0, 3).join(', ')}</p><p>${lines[3]}</p>`,
  ])
}
