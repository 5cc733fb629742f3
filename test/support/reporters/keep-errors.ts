// A test of a gateway sees a status and a sentence for the public. Their cause is in the log, which is kept here for
// the end of the run.
import { inspect } from 'node:util'
import { beforeEach } from 'vitest'
import { takeLoggedErrors } from '#test/silent-log.ts'

beforeEach(({ onTestFailed }) => {
  takeLoggedErrors()
  onTestFailed(({ task }) => {
    const errors = takeLoggedErrors()
    if (errors.length > 0) task.meta.loggedErrors = errors.map((error) => inspect(error)).join('\n')
  })
})
