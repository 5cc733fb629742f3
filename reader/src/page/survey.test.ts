import { expect, test } from 'vitest'
import { seePage } from './see-page.ts'
import { surveyPage } from './survey.ts'

const survey = (html: string, options = {}) => surveyPage(seePage(html, options))

test('the survey says what a reader would see', () => {
  const found = survey(
    '<title>A &amp; B</title><meta http-equiv=refresh content="5"><h1>Head</h1><p>one two <a href=x>three</a></p><p hidden>no</p><div style="display: none">no</div><noscript>Turn <b>on</b> JavaScript</noscript><script>var a</script><input type=password><div id=root></div>',
  )
  expect(found).toMatchObject({
    title: 'A & B',
    heading: 'Head',
    text: 'Head\none two three',
    words: 4,
    linkWords: 1,
    proseWords: 3,
    scripts: 1,
    noscript: 'Turn on JavaScript',
    passwordFields: 1,
    refresh: '5',
    emptyRoot: true,
    hasRoot: true,
    cut: false,
  })
})

test('a page that is kept in noscript is read where no script ran', () => {
  const kept = `<p>shell</p><noscript><h1>Topic</h1><p>${'word '.repeat(70)}</p></noscript>`
  expect(survey(kept)).toMatchObject({ heading: 'Topic', words: 72, noscript: '' })
  expect(survey(kept, { isRendered: true })).toMatchObject({ text: 'shell', heading: '' })
})

test('words below the limit of depth stay apart', () => {
  const deep = `${'<div>'.repeat(50_000)}deep<p>deeper</p>${'</div>'.repeat(50_000)}<p>after</p>`
  expect(survey(deep).text).toBe('deep\ndeeper\nafter')
})
