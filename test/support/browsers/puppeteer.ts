import { onTestFinished } from 'vitest'
import { connect } from '#oracles/puppeteer.ts'

/** Puppeteer, connected as its users connect it. */
export async function openPuppeteer(connectUrl: string) {
  const browser = await connect({ browserWSEndpoint: connectUrl })
  onTestFinished(() => browser.disconnect())
  return browser
}
