// A gateway that rents browsers, with a clock of its own, which the tests put forward.
import { adminToken, type Gateway, shareGateway } from '../harness.ts'
import { createSkippingClock } from './skipping-clock.ts'

/** One for all tests of the block. Each ends its sessions. */
export function shareWithClock(env: Record<string, string> = {}) {
  const clock = createSkippingClock()
  const shared = shareGateway({ clock, env })
  return async () => {
    const gateway = shared()
    return { clock, gateway, account: await gateway.account(100) }
  }
}

/** How many browsers run at this gateway. */
export async function openBrowsers(gateway: Gateway): Promise<number> {
  const { body } = await gateway.request('GET', '/api/v1/admin/health', { key: adminToken })
  return body.browsers.open
}
