// Finds Chromium and starts it with its sandbox on. As root Chromium refuses to sandbox itself, so it is then started as
// `nobody`, by a small script that hands the profile over to that user first.
import { access, constants, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, chromium as playwright } from 'playwright-core'

/** headless-shell first: a quarter of the processor time of the whole browser, and half of its memory. */
const candidates = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const setprivCandidates = ['/usr/bin/setpriv', '/bin/setpriv']
const nobody = 65_534
const launchTimeoutMs = 20_000
const closeTimeoutMs = 3_000

/** The first Chromium of the usual places, or the one at `chromiumPath` and no other. */
export async function findChromium(chromiumPath?: string): Promise<string | undefined> {
  return firstExecutable(chromiumPath === undefined ? candidates : [chromiumPath])
}

export interface ChromiumOptions {
  readonly executablePath: string
  /** False only where the operator said so: Chromium then trusts every page with the rights of its user. */
  readonly sandbox: boolean
  /** Where all of its traffic goes. */
  readonly proxyUrl: string
}

export interface RunningChromium {
  readonly browser: Browser
  /** Asks it to end, and ends its whole process group when it does not. */
  close(): Promise<void>
}

/** Throws an Error whose message an operator can act on. */
export async function launchChromium(options: ChromiumOptions): Promise<RunningChromium> {
  const directory = await mkdtemp(path.join(tmpdir(), 'tollway-chromium-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    const pidFile = path.join(directory, 'pid')
    const executablePath = path.join(directory, 'start')
    await writeFile(executablePath, await startScript(options, pidFile), { mode: 0o700 })
    const browser = await playwright.launch({
      executablePath,
      headless: true,
      chromiumSandbox: options.sandbox,
      timeout: launchTimeoutMs,
      // Signals are the gateway's to answer; it closes its renderer when it stops.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      // Nothing of the gateway's environment: a page that broke out would find no credential in it.
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' },
      args: chromiumArguments(options.proxyUrl),
    })
    return { browser, close: () => closeChromium(browser, pidFile).finally(remove) }
  } catch (thrown) {
    await remove()
    throw explainLaunch(thrown)
  }
}

function chromiumArguments(proxyUrl: string): string[] {
  return [
    `--proxy-server=${proxyUrl}`,
    // Without this rule Chromium would reach loopback addresses past the proxy.
    '--proxy-bypass-list=<-loopback>',
    '--disable-quic',
    // The headless build knows WebRTC's policy by the first name and the whole browser by the second (measured).
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-background-networking',
    '--dns-prefetch-disable',
    '--disable-features=WebTransport,DnsOverHttps,AsyncDns',
    '--no-pings',
    '--disable-remote-fonts',
    '--disable-3d-apis',
    '--disable-dev-shm-usage',
    '--js-flags=--max-old-space-size=512',
  ]
}

async function startScript({ executablePath, sandbox }: ChromiumOptions, pidFile: string) {
  const head = `#!/bin/sh\necho $$ > '${quote(pidFile)}'\n`
  const target = `'${quote(executablePath)}' "$@"\n`
  if (!sandbox || process.getuid?.() !== 0) return `${head}exec ${target}`
  const setpriv = await firstExecutable(setprivCandidates)
  if (setpriv === undefined)
    throw new Error(
      'Chromium will not run sandboxed as root, and setpriv (package util-linux), which would start it as nobody, is not installed.',
    )
  return `${head}for argument in "$@"; do
  case "$argument" in --user-data-dir=*) profile="\${argument#*=}" ;; esac
done
chown -R ${nobody}:${nobody} "$profile" || exit 1
export HOME="$profile" XDG_CONFIG_HOME="$profile" XDG_CACHE_HOME="$profile"
cd "$profile" || exit 1
unset OLDPWD
exec '${setpriv}' --reuid=${nobody} --regid=${nobody} --clear-groups --inh-caps=-all ${target}`
}

function quote(text: string): string {
  return text.replaceAll("'", `'\\''`)
}

async function closeChromium(browser: Browser, pidFile: string): Promise<void> {
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).trim())
  const timer = setTimeout(() => killGroup(pid), closeTimeoutMs)
  await browser.close().catch(() => {})
  clearTimeout(timer)
  killGroup(pid)
}

/** Playwright starts Chromium as the leader of its own group; what is left of it goes with it. */
function killGroup(pid: number): void {
  if (!Number.isInteger(pid) || pid <= 1) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

function explainLaunch(thrown: unknown): Error {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  if (/sandbox|namespace|zygote/i.test(text))
    return new Error(
      'Chromium cannot use its sandbox on this machine: user namespaces are forbidden. Allow them, or set CHROMIUM_SANDBOX=off inside a container that has no privileges.',
      { cause: thrown },
    )
  return new Error(`Chromium did not start: ${text.split('\n', 1)[0]}`, { cause: thrown })
}

async function firstExecutable(paths: readonly string[]): Promise<string | undefined> {
  for (const file of paths) {
    const found = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return file
  }
  return undefined
}
