// The programs of this machine that the gateway uses.
import { chromium as playwright } from 'playwright-core'
import { findChromium, launchChromium } from '#platform/chromium/chromium.ts'
import { systemClock } from '#platform/clock.ts'
import { createSandbox, findProgram } from '#platform/sandbox/sandbox.ts'
import { errorMessageOf } from '#platform/thrown.ts'
import type { Config } from '../../config.ts'
import { attention, type Diagnosis, good } from './diagnosis.ts'

/** Nothing is opened in this Chromium, so nothing listens here. */
const noProxy = 'http://127.0.0.1:9'

type ChromiumSettings = Pick<Config, 'CHROMIUM_PATH' | 'CHROMIUM_SANDBOX'>

export async function checkChromium(settings: ChromiumSettings): Promise<Diagnosis> {
  const subject = 'Chromium'
  const executablePath = await findChromium(settings.CHROMIUM_PATH)
  if (executablePath === undefined)
    return attention(
      subject,
      'It is not found, so pages that need JavaScript, screenshots, films and browsers do not work.',
      settings.CHROMIUM_PATH === undefined
        ? 'Install it: apt-get install chromium chromium-headless-shell. Or set CHROMIUM_PATH.'
        : 'Correct CHROMIUM_PATH.',
    )
  try {
    const sandbox = settings.CHROMIUM_SANDBOX === 'on'
    const options = { executablePath, sandbox, hasPictures: false, proxyUrl: noProxy }
    const running = await launchChromium({ ...options, driver: playwright })
    const version = running.browser.version()
    await running.close()
    return good(subject, `${version} starts, at ${executablePath}.`)
  } catch (error) {
    const [sentence = ''] = errorMessageOf(error).split('\n')
    return attention(
      subject,
      `${executablePath} does not start: ${sentence}`,
      'Do what it says. In an unprivileged container, CHROMIUM_SANDBOX=off may be needed.',
    )
  }
}

export async function checkBoxes(): Promise<Diagnosis> {
  const subject = 'bubblewrap'
  const missing = await createSandbox({ clock: systemClock }).missing()
  return missing === undefined
    ? good(subject, 'Programs can be confined.')
    : attention(
        subject,
        'Programs cannot be confined, so sandboxes, sessions, films, scans and repositories do not work.',
        missing,
      )
}

export const programs = [
  { name: 'ffmpeg', without: 'films cannot be rendered', packages: 'ffmpeg' },
  { name: 'tesseract', without: 'scans cannot be read', packages: 'tesseract-ocr' },
  { name: 'espeak-ng', without: 'speech is not made on this machine', packages: 'espeak-ng' },
  { name: 'git', without: 'callers cannot have repositories', packages: 'git' },
  { name: 'python3', without: 'sandboxes and sessions do not open', packages: 'python3' },
]

export const checkPrograms = (): Promise<Diagnosis[]> =>
  Promise.all(
    programs.map(async ({ name, without, packages }) => {
      const place = await findProgram(name)
      return place === undefined
        ? attention(name, `It is not installed, so ${without}.`, `apt-get install ${packages}`)
        : good(name, `It is at ${place}.`)
    }),
  )
