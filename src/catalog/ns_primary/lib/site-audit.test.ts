import { expect, test } from 'vitest'
import { auditPage } from './site-audit.ts'

const good = `<!doctype html><html lang="en"><head><title>Tea &amp; cups</title>
<meta name="description" content="All about tea."><meta name='viewport' content='width=device-width'>
<meta property="og:title" content="Tea"><link rel="canonical" href="https://tea.example/">
<script type="application/ld+json">{}</script></head>
<body><h1>Tea</h1><p>Green and black.</p><img src="a.png" alt="A cup"><script>var words = 'none'</script></body></html>`

test('a complete page has facts and no findings', () => {
  const audit = auditPage({ html: good, url: 'https://tea.example/' })
  expect(audit).toMatchObject({
    title: 'Tea & cups',
    description: 'All about tea.',
    canonical: 'https://tea.example/',
    language: 'en',
    headings: ['Tea'],
    images: 1,
    images_without_alt: 0,
    structured_data: true,
    findings: [],
  })
  expect(audit.words).toBeLessThan(12)
})

test.each([
  [/<title>.*<\/title>/s, '', 'There is no title.'],
  [/<title>.*<\/title>/s, `<title>${'x'.repeat(61)}</title>`, /longer than 60/],
  [/<meta name="description"[^>]*>/, '', 'There is no meta description.'],
  [/<link[^>]*>/, '', 'There is no canonical address.'],
  [/ lang="en"/, '', 'The page does not say its language.'],
  [/<h1>Tea<\/h1>/, '', /0 headings of the first level/],
  [/ alt="A cup"/, '', '1 images have no alternative text.'],
  [/<title>/, '<meta name="robots" content="NOINDEX"><title>', /not to index/],
])('%s replaced by %j is found', (part, by, finding) => {
  const { findings } = auditPage({ html: good.replace(part, by), url: 'https://tea.example/' })
  expect(findings).toContainEqual(
    typeof finding === 'string' ? finding : expect.stringMatching(finding),
  )
})

test('a page that was not read is not audited', () => {
  expect(() => auditPage({ html: null })).toThrow(expect.objectContaining({ code: 'all_blocked' }))
})

test('a page that arrived without its head has no findings about the head', () => {
  expect(() => auditPage({ html: '<body><h1>Tea</h1></body>' })).toThrow(/without its head/)
})

test('an attribute name that only ends in the searched name does not match', () => {
  const { findings } = auditPage({
    html: good
      .replace('lang=', 'data-lang=')
      .replace('alt=', 'data-alt=')
      .replace('rel=', 'data-rel='),
    url: 'https://tea.example/',
  })
  expect(findings).toEqual([
    'There is no canonical address.',
    'The page does not say its language.',
    '1 images have no alternative text.',
  ])
})
