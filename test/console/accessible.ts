import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export const themes = ['light', 'dark'] as const

/** Runs all rules of axe over the page as it stands. `place` names the page in a failure. */
export async function expectAccessible(page: Page, place: string): Promise<void> {
  // The policy of the page allows no such script in the page itself; the debugger is not bound by it.
  await page.evaluate(axe.source)
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  })
  expect(found, place).toEqual([])
}
