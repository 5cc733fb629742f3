// kill -9 of a gateway whose plan has opened a sandbox at a vendor: while the vendor makes it, and while a step uses
// it. The next gateway takes the plan up, and nothing is left at the vendor when it is over.
import { expect, onTestFinished, test } from 'vitest'
import { missingForBoxes } from '#test/sessions/boxes.ts'
import { until } from '#test/until.ts'
import { modalKey, startStubModal } from '../boxes/modal/stub-modal.ts'
import { startMortalGateway } from './mortal-gateway.ts'

const planOf = (command: string) => ({
  steps: [
    { id: 'open', action: 'ns_sandbox/sandbox-create' },
    {
      id: 'run',
      action: 'ns_sandbox/sandbox-exec',
      params: { sandbox_id: { $step: 'open', pointer: '/sandbox_id' }, command },
    },
  ],
  max_cost_cents: 20,
})

test.each([
  ['its creation', 'SandboxGetTaskId', 2],
  ['its use', 'TaskGetCommandRouterAccess', 1],
])(
  'a plan that is killed during %s leaves no sandbox at the vendor',
  async (_when, silent, made) => {
    const modal = await startStubModal()
    onTestFinished(modal.close)
    const gateway = await startMortalGateway({
      NS_SANDBOX_API_KEY: modalKey,
      NS_SANDBOX_BASE_URL: modal.url,
    })
    const account = await gateway.openAccount(100)
    const asked = Promise.withResolvers<void>()
    modal.fail(({ method }) => {
      if (method !== silent) return undefined
      asked.resolve()
      return 'silence'
    })
    const { job_id } = await account.call('tollway/run-plan', planOf('echo hi'))
    await asked.promise
    expect(modal.running()).toHaveLength(1)
    const [first] = modal.running()
    await gateway.kill()
    modal.fail(undefined)
    await gateway.start()

    const answer = await account.call('tollway/result', { job_id, wait_seconds: 50 })
    expect(answer).toMatchObject({ charged_cents: 4, result: { status: 'completed' } })
    const opened = answer.result.steps[0].data.sandbox_id
    expect([modal.find(opened)].includes(first as never)).toBe(made === 1)
    await until(async () => modal.running().length === 0)
    expect(modal.strays).toEqual([])
    await gateway.expectBooksRight()
  },
)

test.skipIf((await missingForBoxes()) !== undefined)(
  'a plan that is killed after it has opened a sandbox of this machine leaves none',
  async () => {
    const gateway = await startMortalGateway()
    const account = await gateway.openAccount(100)
    const { job_id } = await account.call('tollway/run-plan', planOf('sleep 25'))
    const result = (wait_seconds: number) =>
      account.call('tollway/result', { job_id, wait_seconds })
    await until(async () => (await result(0)).progress?.done === 1)
    await gateway.killAndStart()
    const answer = await result(50)
    expect(answer).toMatchObject({ charged_cents: 3, result: { status: 'stopped' } })
    const { sandbox_id } = answer.result.steps[0].data
    const looked = await account.call('ns_sandbox/sandbox-status', { sandbox_id })
    expect(looked.status).not.toBe('running')
    await gateway.expectBooksRight()
  },
)
