// A gateway that rents browsers, with a clock of its own, which the test puts forward.
import { adminToken, type Gateway, startGateway } from '../harness.ts'
import { createSkippingClock } from './skipping-clock.ts'

export async function startWithClock(env: Record<string, string> = {}) {
  const clock = createSkippingClock()
  const gateway = await startGateway({ clock, env })
  return { clock, gateway, account: await gateway.account(100) }
}

/** How many browsers run at this gateway. */
export async function openBrowsers(gateway: Gateway): Promise<number> {
  const { body } = await gateway.request('GET', '/api/v1/admin/health', { key: adminToken })
  return body.browsers.open
}
