// Finds Chromium and starts it with its sandbox on. As root Chromium refuses to sandbox itself, so it is then started as
// `nobody`, by a small script that hands the profile over to that user first.
import { execFile } from 'node:child_process'
import { access, constants, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Browser, BrowserType } from 'playwright-core'
import { type BrowserFolder, createBrowserFolder } from './browser-folder.ts'

/** A quarter of the processor time of the whole browser, and half of its memory. */
const shells = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium-headless-shell']
const wholes = [
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

/** The first Chromium of the usual places, headless-shell before the whole one; or the one at `chromiumPath` alone. */
export async function findChromium(chromiumPath?: string): Promise<string | undefined> {
  return firstExecutable(chromiumPath === undefined ? [...shells, ...wholes] : [chromiumPath])
}

/** The first whole Chromium of the usual places, or the one at `chromiumPath` alone. */
export async function findWholeChromium(chromiumPath?: string): Promise<string | undefined> {
  return firstExecutable(chromiumPath === undefined ? wholes : [chromiumPath])
}

export interface ChromiumOptions {
  readonly executablePath: string
  /** False only where the operator said so: Chromium then trusts every page with the rights of its user. */
  readonly sandbox: boolean
  /** Where all of its traffic goes. */
  readonly proxyUrl: string
  /** The library that drives it. */
  readonly driver: BrowserType
}

export interface RunningChromium {
  readonly browser: Browser
  /** Asks it to end, and ends its whole process group when it does not. */
  close(): Promise<void>
}

/** Throws an Error whose message an operator can act on. */
export async function launchChromium(options: ChromiumOptions): Promise<RunningChromium> {
  const folder = await createBrowserFolder()
  try {
    const pidFile = path.join(folder.path, 'pid')
    const executablePath = path.join(folder.path, 'start')
    await writeFile(executablePath, await startScript(options, folder, pidFile), { mode: 0o700 })
    const browser = await options.driver.launch({
      executablePath,
      headless: true,
      chromiumSandbox: options.sandbox,
      timeout: launchTimeoutMs,
      artifactsDir: folder.path,
      // Signals are the gateway's to answer; it closes its renderer when it stops.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      // Nothing of the gateway's environment: a page that broke out would find no credential in it.
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' },
      args: chromiumArguments(options.proxyUrl, await userAgentOf(options.executablePath)),
    })
    return { browser, close: () => closeChromium(browser, pidFile).finally(folder.remove) }
  } catch (thrown) {
    await folder.remove()
    throw explainLaunch(thrown)
  }
}

const userAgents = new Map<string, Promise<string>>()
const versionTimeoutMs = 5_000

/** The headless build calls itself so, which many sites take for a reason to refuse. Here it is Chromium. */
function userAgentOf(executablePath: string): Promise<string> {
  const known = userAgents.get(executablePath) ?? askVersion(executablePath).then(chromeUserAgent)
  userAgents.set(executablePath, known)
  known.catch(() => userAgents.delete(executablePath))
  return known
}

async function askVersion(executablePath: string): Promise<string> {
  const { stdout } = await promisify(execFile)(executablePath, ['--version'], {
    timeout: versionTimeoutMs,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent' },
  })
  return /\d+/.exec(stdout)?.[0] ?? ''
}

export function chromeUserAgent(majorVersion: string): string {
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${majorVersion}.0.0.0 Safari/537.36`
}

function chromiumArguments(proxyUrl: string, userAgent: string): string[] {
  return [
    `--user-agent=${userAgent}`,
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
    // Pictures are not even asked for. The rest says that there is a mouse, as the library would.
    '--blink-settings=imagesEnabled=false,primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
    '--disable-3d-apis',
    '--disable-dev-shm-usage',
    '--js-flags=--max-old-space-size=512',
  ]
}

/** Playwright has made a profile of its own in the temporary folder, which nobody would remove after a kill. */
async function startScript(
  { executablePath, sandbox }: ChromiumOptions,
  { profile }: BrowserFolder,
  pidFile: string,
): Promise<string> {
  const head = `#!/bin/sh
echo $$ > '${quote(pidFile)}'
profile='${quote(profile)}'
for argument in "$@"; do
  shift
  case "$argument" in --user-data-dir=*)
    rmdir "\${argument#*=}"
    argument="--user-data-dir=$profile" ;;
  esac
  set -- "$@" "$argument"
done
`
  const target = `'${quote(executablePath)}' "$@"\n`
  if (!sandbox || process.getuid?.() !== 0) return `${head}exec ${target}`
  const setpriv = await firstExecutable(setprivCandidates)
  if (setpriv === undefined)
    throw new Error(
      'Chromium will not run sandboxed as root, and setpriv (package util-linux), which would start it as nobody, is not installed.',
    )
  return `${head}chown -R ${nobody}:${nobody} "$profile" || exit 1
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
