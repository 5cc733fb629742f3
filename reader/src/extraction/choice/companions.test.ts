import { expect, test } from 'vitest'
import { readBody } from '../../read-body.ts'

const text = (number: number) =>
  `<p>In the ${number}th year of the mill the wheel was taken off its axle, and the bearings, which had run dry in the summer, were cleaned and put back before the first rye came in from the fields.</p>`

function read(main: string): string {
  const body = `<title>The wheel | Mill</title><nav><ul><li><a href="/">Home</a></li><li><a href="/prices">Prices</a></li></ul></nav><main>${main}</main><footer><img src="/logo.png"><p>© Mill Street 3</p></footer>`
  const page = { kind: 'html', body, finalUrl: 'https://mill.example/wheel' } as const
  return readBody(page, { format: 'markdown', mainContent: true }).content
}

test('pictures stand where they stood, with their captions, and those of the footer do not', () => {
  const content = read(
    `<h1>The wheel</h1><img src="/hero.jpg">${text(3)}<figure><img src="/axle.jpg"><figcaption>The axle, 1904</figcaption></figure>${text(4)}<div><a href="/big"><img src="/small.jpg"></a></div>${text(5)}<figure><img src="/end.jpg"></figure>`,
  )
  expect(content.match(/\w+(?=\.(?:jpg|png)\))|axle, 1904|(?<=In the )\w+/g)).toEqual([
    'hero',
    '3th',
    'axle',
    'axle, 1904',
    '4th',
    'small',
    '5th',
    'end',
  ])
})

test('the heading of a short page is read', () => {
  expect(read(`<h1>The wheel</h1><p>12 May 2026</p>${text(3)}`)).toMatch(/^# The wheel\n/)
})

test('a listing keeps its blank lines, however it breaks its lines', () => {
  const listing =
    '<pre><code>import mill<br><br><br>wheel = mill.wheel()<br>wheel.turn(2)</code></pre>'
  expect(read(`<h1>The wheel</h1>${text(3)}${listing}${text(4)}`)).toContain(
    '```\nimport mill\n\n\nwheel = mill.wheel()\nwheel.turn(2)\n```',
  )
})

test('formulas on lines of their own stay between the texts that they belong to', () => {
  const formula =
    '<div class="eq"><script type="math/tex; mode=display">P = M \\omega</script></div>'
  expect(read(`<h1>The wheel</h1>${text(3)}${formula}${text(4)}`)).toContain(
    'fields.\n\n$$P = M \\omega$$\n\nIn the 4th',
  )
})

test('captions that are named so stay with their pictures and tables', () => {
  const thumb =
    '<div class="thumb"><a href="/w"><img src="/w.jpg"></a><div class="thumbcaption">A wooden wheel</div></div>'
  const figure =
    '<div class="fig"><img src="/f.png"><div class="fig-caption"><span class="fig-label">Fig. 1.</span><p>The wheel from the side</p></div></div>'
  const table =
    '<div class="table-wrap"><div class="caption">Table 1. Load</div><table><tr><th>Stone</th><th>Load</th></tr><tr><td>Upper</td><td>12</td></tr><tfoot><tr><td>Without January</td></tr></tfoot></table></div>'
  const content = read(
    `<h1>The wheel</h1>${text(3)}${thumb}${text(4)}${figure}${text(5)}${table}${text(6)}`,
  )
  const wanted = [
    'A wooden wheel',
    'Fig. 1.',
    'The wheel from the side',
    'Table 1. Load',
    'Without January',
  ]
  for (const caption of wanted) expect(content).toContain(caption)
})
