import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { emailA } from './provider.ts'

const verify = (result: unknown) =>
  replayAction(emailA, 'email-verifier', {
    input: { email: 'person@example.com' },
    exchanges: [
      {
        request: {
          method: 'GET',
          path: '/email-verifier',
          query: { email: 'person@example.com' },
        },
        reply: { status: 200, body: { data: { email: { result, score: 50 } } } },
      },
    ],
  })

test.each(['deliverable', 'undeliverable', 'risky'])('the verdict %s is sold', async (result) => {
  expect((await verify(result)).output).toEqual({ email: { result, score: 50 } })
})

test.each(['unknown', 'Deliverable', '', null, 1])(
  'another verdict, %j, does not fit the answer, so it is not sold',
  async (result) => {
    const { output, error } = await verify(result)
    expect(output).toBeUndefined()
    expect(error?.name).toBe('ZodError')
  },
)
