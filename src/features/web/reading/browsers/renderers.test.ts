import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { createEgressGuard } from '#platform/egress/guard.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { createRenderers } from './renderers.ts'

test('too many waiting pages of one account are refused in plain words, and those of another are not', async () => {
  const renderers = createRenderers({
    guard: createEgressGuard({ allow: ['127.0.0.1:80'] }),
    log,
    clock: systemClock,
    // Every page waits for its tab before it finds no browser.
    chromiumPath: '/nowhere/chromium',
    tabsMax: 3,
  })
  onTestFinished(renderers.close)
  const signal = new AbortController().signal
  const render = (owner: string) =>
    renderers.shell.render('http://127.0.0.1/', { owner, signal }).then(
      () => 'read',
      (thrown) => thrown.code ?? thrown.name,
    )
  const [pages, another] = [Array.from({ length: 70 }, () => render('one')), render('another')]
  const ends = await Promise.all(pages)
  expect(ends.filter((end) => end === 'too_many_inflight')).toHaveLength(70 - 2 - 64)
  expect(await another).toBe('FetchFailure')
})
