import { expect, test } from 'vitest'
import { createBrowserStandIns } from './stand-ins.ts'

const unused = {} as never

test('a machine that cannot record refuses to, and says what its operator can do', () => {
  const actions = (cannotRecord: string | undefined) =>
    createBrowserStandIns({
      rows: unused,
      browsers: unused,
      addresses: unused,
      countries: [],
      missing: undefined,
      cannotRecord,
    }).get('ns_browser/create_session')
  const without = actions('ffmpeg is not installed: install the package ffmpeg.')
  expect(() => without?.check({ recording: true })).toThrow(
    expect.objectContaining({
      code: 'bad_request',
      message: expect.stringMatching(/leave recording out.*Nothing was charged.*ffmpeg/),
    }),
  )
  expect(() => without?.check({})).not.toThrow()
  expect(() => actions(undefined)?.check({ recording: true })).not.toThrow()
})
