import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { describe, expect, test } from 'vitest'
import { buildContent } from '../content/content-tree.ts'
import { seePage } from '../page/see-page.ts'
import { writeMarkdown } from './blocks.ts'

const commonMark = new MarkdownIt({ html: true })
const url = 'https://mill.example/page'
const markdown = (html: string) => writeMarkdown(buildContent(seePage(html), {}), url)

describe('blocks', () => {
  test.each([
    ['headings', '<h1>One</h1><h3>Two<br>lines</h3>', '# One\n\n### Two lines'],
    ['the link of a heading to itself', '<h2>Oil <a href="#oil">¶</a></h2>', '## Oil'],
    ['a sharp at the end of a heading', '<h2>C #</h2>', '## C \\#'],
    ['lines and paragraphs', '<p>a<br>b<br><br>c</p>d', 'a\nb\n\nc\n\nd'],
    ['quotations', '<blockquote><p>a</p><ul><li>b</ul></blockquote>', '> a\n>\n> - b'],
    ['rules', '<p>a</p><hr>b', 'a\n\n---\n\nb'],
    ['nested lists', '<ul><li>a<ol><li>b<li>c</ol><li>d</ul>', '- a\n  1. b\n  2. c\n- d'],
    ['a list right inside of a list', '<ul><li>a</li><ul><li>b</ul></ul>', '- a\n  - b'],
    ['numbers', '<ol start=9><li>a<li>b</ol>', '9. a\n10. b'],
    ['items of paragraphs', '<ul><li><p>a</p><p>b</p><li>c</ul>', '- a\n\n  b\n\n- c'],
    ['items without a list', '<div><li>a</li><li>b</li></div>', '- a\n- b'],
    [
      'definitions',
      '<dl><dt>Rye</dt><dd>A <i>grain</i>.</dd><div><dt>Oats</dt><dd><p>Too.</p></dd></div></dl>',
      '- **Rye**\n  A *grain*.\n\n- **Oats**\n\n  Too.',
    ],
    ['details', '<details><summary>More</summary><p>Inside</p></details>', '**More**\n\nInside'],
    [
      'figures',
      '<figure><img src=/w.png alt="The [old] wheel"><figcaption>1904</figcaption></figure>',
      '![The \\[old\\] wheel](https://mill.example/w.png)\n\n1904',
    ],
    [
      'a card that is a link',
      '<a href="/dam"><img src="/d.png"><h3>The dam</h3><p>Repaired.</p></a>',
      '![](https://mill.example/d.png)\n\n### [The dam](https://mill.example/dam)\n\nRepaired.',
    ],
  ])('%s', (_name, html, expected) => {
    expect(markdown(html)).toBe(expected)
  })
})

describe('lines', () => {
  test.each([
    ['blanks stay outside of marks', 'a<b> b </b>c<i>d </i>', 'a **b** c*d*'],
    ['marks inside of themselves', '<b>a<strong>b</strong></b>', '**ab**'],
    ['marks side by side', '<b>a</b><b>b</b>', '**ab**'],
    ['a mark between punctuation and a word', '<b>Note:</b>rye', '**Note:** rye'],
    ['deletions and quotations', '<del>a</del> <q>b</q>', '~~a~~ "b"'],
    ['code', '<code>a`b</code> <kbd>Ctrl</kbd>', '``a`b`` `Ctrl`'],
    ['code that is a link', '<code><a href=/x>f</a></code>', '[`f`](https://mill.example/x)'],
    ['links', '<a href="x(1)"> a  b </a>', '[a b](<https://mill.example/x(1)>)'],
    ['links without text or address', '<a href=/x></a><a>b</a><a href="javascript:x">c</a>', 'bc'],
    ['pixels', '<img src=/p.gif width=1 height=1>a', 'a'],
    ['an exclamation before a link', 'Go!<a href=/x>x</a>', 'Go\\![x](https://mill.example/x)'],
    ['readings', '<ruby>少<rt>すこ</rt></ruby>し', '少(すこ)し'],
    [
      'readings with parentheses',
      '<ruby>漢字<rp>（</rp><rt>かんじ</rt><rp>）</rp></ruby>',
      '漢字（かんじ）',
    ],
    ['digits below and above', 'H<sub>2</sub>O, 10<sup>−3</sup> m<sup>2</sup>', 'H₂O, 10⁻³ m²'],
    ['letters below and above', 'x<sup>n+1</sup>, a<sub>i</sub>', 'x^(n+1), a_i'],
    [
      'ordinals and notes',
      '4<sup>th</sup> x<sup><a href=#n>[1]</a></sup>',
      `4th x[\\[1\\]](${url}#n)`,
    ],
  ])('%s', (_name, html, expected) => {
    expect(markdown(`<p>${html}</p>`)).toBe(expected)
  })

  test.each([
    '# a',
    '1. a',
    '- a',
    '+ a',
    '* a',
    '> a',
    '---',
    '===',
    '*a* _b_',
    '`a`',
    '<b>',
    '&lt;',
    '[a](b)',
    '![a](b)',
    '~~a~~',
    '\\*',
    '[a]: b',
    'a\\',
  ])('text that looks like Markdown is a text: %s', (text) => {
    const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    expect(commonMark.render(markdown(`<p>${html}</p>`)).trim()).toBe(
      `<p>${html.replaceAll('>', '&gt;')}</p>`,
    )
  })

  test('what means nothing is not escaped', () => {
    const text = 'snake_case, 2 * 3 * 4, [1], (a), a < b & c, $5 ~ $6 | 1.5 - 2, #1 C# e-mail!'
    expect(markdown(`<p>${text}</p>`)).toBe(text)
  })
})

describe('listings', () => {
  const code = 'def one():\n    return 1  \n\n\ndef two():\n    return 2'
  const indented = (by: string) => code.replace(/^(?=.)/gm, by)

  test.each([
    ['on its own', `<pre><code>${code}\n</code></pre>`, `\`\`\`\n${code}\n\`\`\``],
    ['with fences in it', `<pre>a\n\`\`\`\n\n\n\nb</pre>`, '````\na\n```\n\n\n\nb\n````'],
    ['in a list', `<ul><li>Two:<pre>${code}</pre></li></ul>`, indented('  ')],
  ])('code %s keeps its blank lines and the ends of its lines', (_where, html, expected) => {
    expect(markdown(`<p>Before</p>${html}<p>After</p>`)).toContain(expected)
  })

  test.each([
    ['GitHub', '<div class="highlight highlight-source-js"><pre>a\nb</pre></div>'],
    ['GitHub in Markdown', '<pre lang="js"><code>a\nb</code></pre>'],
    ['highlight.js', '<pre><code class="hljs js">a\nb</code></pre>'],
    ['Prism with breaks', '<pre class="language-js"><code class="language-js">a<br>b</code></pre>'],
    [
      'Prism with line numbers',
      '<pre class="line-numbers language-js"><code>a\nb<span class="line-numbers-rows"><span></span></span></code></pre>',
    ],
    [
      'Sphinx',
      '<div class="highlight-js notranslate"><div class="highlight"><pre><span></span>a\nb\n</pre></div></div>',
    ],
    ['Pandoc', '<pre class="sourceCode js"><code class="sourceCode js">a\nb</code></pre>'],
    ['SyntaxHighlighter', '<pre class="brush: js; gutter: false">a\nb</pre>'],
    [
      'an attribute',
      '<pre data-language="js"><code><div class="line">a</div><div class="line">b</div></code></pre>',
    ],
    [
      'Hexo',
      '<figure class="highlight js"><table><tr><td class="gutter"><pre><span class="line">1</span><br><span class="line">2</span><br></pre></td><td class="code"><pre><span class="line">a</span><br><span class="line">b</span><br></pre></td></tr></table></figure>',
    ],
    [
      'Jekyll',
      '<div class="language-js highlighter-rouge"><div class="highlight"><pre class="highlight"><code><table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n</pre></td><td class="rouge-code"><pre>a\nb\n</pre></td></tr></tbody></table></code></pre></div></div>',
    ],
    [
      'Hugo',
      '<div class="highlight"><table class="lntable"><tr><td class="lntd"><pre class="chroma"><code><span class="lnt">1\n</span><span class="lnt">2\n</span></code></pre></td><td class="lntd"><pre class="chroma"><code class="language-js" data-lang="js">a\nb\n</code></pre></td></tr></table></div>',
    ],
    [
      'hljs-ln',
      '<pre><code class="hljs js"><table class="hljs-ln"><tr><td class="hljs-ln-numbers" data-line-number="1"></td><td class="hljs-ln-code">a</td></tr><tr><td class="hljs-ln-numbers" data-line-number="2"></td><td class="hljs-ln-code">b</td></tr></table></code></pre>',
    ],
    [
      'a file on GitHub',
      '<div class="highlight-source-js"><table><tr><td data-line-number="1"></td><td class="blob-code">a</td></tr><tr><td data-line-number="2"></td><td class="blob-code">b</td></tr></table></div>',
    ],
  ])('%s: the code in its language, without line numbers', (_tool, html) => {
    expect(markdown(html)).toBe('```js\na\nb\n```')
  })

  test.each([
    ['plain text', '<pre class="language-plaintext">a</pre>', '```\na\n```'],
    [
      'a table of numbers',
      '<table><tr><td>1</td><td>a</td></tr><tr><td>2</td><td>b</td></tr></table>',
      '| 1 | a |\n| --- | --- |\n| 2 | b |',
    ],
    ['a listing that counts', '<pre>1\n2\n</pre>', '```\n1\n2\n```'],
  ])('%s stays what it is', (_what, html, expected) => {
    expect(markdown(html)).toBe(expected)
  })
})

describe('tables', () => {
  test.each([
    [
      'a merged cell is in each of its places',
      '<table><caption>Mills</caption><tr><th>a<th colspan=2>b<tr><td rowspan=2>c<td>1<td>2<tr><td>3<td>4</table>',
      'Mills\n\n| a | b | b |\n| --- | --- | --- |\n| c | 1 | 2 |\n| c | 3 | 4 |',
    ],
    [
      'a merged cell that is all of its row is there once',
      '<table><tr><td>1<td>2<tfoot><tr><td colspan=2>c</table>',
      '| 1 | 2 |\n| --- | --- |\n| c |  |',
    ],
    [
      'blocks in cells are lines',
      '<table><thead><tr><th>a<th>b</thead><tr><td><p>x</p><p>y</p><td><ul><li>1<li>2|3</ul></table>',
      '| a | b |\n| --- | --- |\n| x y | 1 2\\|3 |',
    ],
    [
      'short rows are filled',
      '<table><tr><td>a<td>b<td>c<tr><td>d</table>',
      '| a | b | c |\n| --- | --- | --- |\n| d |  |  |',
    ],
    [
      'tables that only place blocks are written as those blocks',
      '<table><tr><td><h2>A</h2>x</td><td><table><tr><td>1<td>2</table></td></tr></table>',
      '## A\n\nx\n\n| 1 | 2 |\n| --- | --- |',
    ],
    [
      'so are tables of one column',
      '<table><tr><td>a<tr><td><p>b</p><p>c</p></table>',
      'a\n\nb\n\nc',
    ],
  ])('%s', (_name, html, expected) => {
    expect(markdown(html)).toBe(expected)
  })

  test('spans without end do not grow a page', () => {
    const row = `<tr>${'<td colspan=9999 rowspan=9999>x'.repeat(20)}`
    expect(markdown(`<table>${row.repeat(500)}</table>`).length).toBeLessThan(1_000_000)
  })
})

describe('formulas', () => {
  const tex = 'E = mc^{2}'
  const mathMl = '<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup>'
  const annotated = `<math><semantics><mrow>${mathMl}</mrow><annotation encoding="application/x-tex">${tex}</annotation></semantics></math>`
  test.each([
    [
      'KaTeX',
      `<span class="katex"><span class="katex-mathml">${annotated}</span><span class="katex-html" aria-hidden="true"><span>E=mc2</span></span></span>`,
    ],
    [
      'Wikipedia',
      `<span class="mwe-math-element"><span style="display:none"><math alttext="{\\displaystyle ${tex}}"></math></span><img class="mwe-math-fallback-image-inline" alt="{\\displaystyle ${tex}}"></span>`,
    ],
    ['arXiv', `<math alttext="${tex}"><mi>E</mi></math>`],
    [
      'MathJax 3',
      `<mjx-container><mjx-math aria-hidden="true"><mjx-c></mjx-c></mjx-math><mjx-assistive-mml>${annotated}</mjx-assistive-mml></mjx-container>`,
    ],
    [
      'MathJax 2',
      `<span class="MathJax_Preview">E=</span><span class="MathJax"><nobr>E=mc2</nobr></span><script type="math/tex">${tex}</script>`,
    ],
    ['a script that waits for MathJax', `<script type="math/tex">${tex}</script>`],
    ['a picture', `<img class="latex" alt="${tex}" src="/f.png">`],
  ])('%s: TeX between dollars', (_tool, html) => {
    expect(markdown(`<p>Einstein: ${html}.</p>`)).toBe(`Einstein: $${tex}$.`)
  })

  test.each([
    `<span class="katex-display"><span class="katex">${annotated}</span></span>`,
    `<math display="block"><annotation encoding="application/x-tex">${tex}</annotation></math>`,
    `<script type="math/tex; mode=display">${tex}</script>`,
  ])('on a line of its own: %s', (html) => {
    expect(markdown(`<p>Einstein: ${html} So.</p>`)).toBe(`Einstein:\n\n$$${tex}$$\n\nSo.`)
  })

  test('MathML that brings no TeX is written as TeX', () => {
    const html =
      '<math><msub><mi>x</mi><mn>1</mn></msub><mo>=</mo><mfrac><mrow><mo>−</mo><mi>b</mi></mrow><msqrt><mn>2</mn><mi>a</mi></msqrt></mfrac><munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr></mtable></math>'
    expect(markdown(html)).toBe(
      '$x_{1} = \\frac{− b}{\\sqrt{2 a}} ∑_{i}^{n} \\begin{matrix}1 & 0\\end{matrix}$',
    )
  })
})

const words = fc.constantFrom(
  'rye ',
  ' oats',
  'a*b',
  '_c_',
  '1. ',
  '## ',
  '[d]',
  '(e)',
  '!',
  '&amp;lt;',
  '&lt;b>',
  '`',
  '|',
  '~~',
  ' - ',
  ':',
  '水车',
  '\n',
)
const tags = fc.constantFrom(
  ...'p div b i strong em code a ul li ol blockquote table tr td th h2 pre dl dt dd details summary span figure figcaption x-card'
    .split(' ')
    .flatMap((name) => [`<${name}${name === 'a' ? ' href=/x' : ''}>`, `</${name}>`]),
  '<br>',
  '<hr>',
)

test('the text of any page is the text of its Markdown, blanks aside', () => {
  const plain = (html: string) => seePage(html).texts.join('').replace(/\s+/g, '')
  fc.assert(
    fc.property(fc.array(fc.oneof(words, tags), { maxLength: 40 }), (pieces) => {
      const html = pieces.join('')
      const written = markdown(html)
      expect(plain(commonMark.render(written))).toBe(plain(html))
    }),
    { numRuns: 3_000 },
  )
})
