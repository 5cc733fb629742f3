// Finds Chromium and starts it with its sandbox on. Chromium refuses its sandbox as root, so a root gateway starts it
// as the user `nobody`, through a small script that first gives the profile to that user.
import { execFile } from 'node:child_process'
import { access, constants, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Browser, BrowserType } from 'playwright-core'
import { closedCommand, closeFrom, launcherShell } from '../sandbox/closed-start.ts'
import { type BrowserFolder, createBrowserFolder } from './browser-folder.ts'

/** Headless shells need a quarter of the CPU time of the whole browser and half of its memory. */
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
const unprivilegedUserId = 65_534
/** The three streams, and the two pipes by which the library controls it. */
const descriptorsKept = 5
const launchTimeoutMs = 20_000
const rentedWindow = { width: 1280, height: 800 } as const
const closeTimeoutMs = 3_000

/** The first Chromium in the usual places, headless shells first; or only the one at `chromiumPath`. */
export async function findChromium(chromiumPath?: string): Promise<string | undefined> {
  return firstExecutable(chromiumPath === undefined ? [...shells, ...wholes] : [chromiumPath])
}

/** The first whole Chromium in the usual places, or only the one at `chromiumPath`. */
export async function findWholeChromium(chromiumPath?: string): Promise<string | undefined> {
  return firstExecutable(chromiumPath === undefined ? wholes : [chromiumPath])
}

export interface ChromiumOptions {
  readonly executablePath: string
  /** False only if the operator disabled it. Every page then has the rights of Chromium's user. */
  readonly sandbox: boolean
  /** All traffic goes through this proxy. */
  readonly proxyUrl: string
  /** Whether pages load their pictures and fonts. */
  readonly hasPictures: boolean
  /** The library that controls it. */
  readonly driver: BrowserType
}

export interface RunningChromium {
  readonly browser: Browser
  /** Asks it to end and kills its process group if it does not. */
  close(): Promise<void>
}

/** Throws an Error that tells the operator what to do. */
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
      // The gateway handles signals and closes its browsers when it stops.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      // The gateway's environment is not inherited, so a page that escapes its sandbox finds no credential.
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' },
      args: chromiumArguments(options, await userAgentOf(options.executablePath)),
    })
    return { browser, close: () => closeChromium(browser, pidFile).finally(folder.remove) }
  } catch (thrown) {
    await folder.remove()
    throw explainLaunch(thrown)
  }
}

const userAgents = new Map<string, Promise<string>>()
const versionTimeoutMs = 5_000

/** Headless builds name themselves in the user agent, and many sites refuse them. This is Chromium's own user agent. */
function userAgentOf(executablePath: string): Promise<string> {
  const known = userAgents.get(executablePath) ?? askVersion(executablePath).then(chromeUserAgent)
  userAgents.set(executablePath, known)
  known.catch(() => userAgents.delete(executablePath))
  return known
}

async function askVersion(executablePath: string): Promise<string> {
  const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent' }
  const { file, args } = closedCommand([executablePath, '--version'], { environment })
  const { stdout } = await promisify(execFile)(file, args, { timeout: versionTimeoutMs, env: {} })
  return /\d+/.exec(stdout)?.[0] ?? ''
}

export function chromeUserAgent(majorVersion: string): string {
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${majorVersion}.0.0.0 Safari/537.36`
}

function chromiumArguments(
  { proxyUrl, hasPictures }: ChromiumOptions,
  userAgent: string,
): string[] {
  return [
    `--user-agent=${userAgent}`,
    ...networkArguments(proxyUrl),
    ...(hasPictures ? [] : ['--disable-remote-fonts']),
    // These settings report a mouse, as the library would.
    `--blink-settings=imagesEnabled=${hasPictures},primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4`,
    '--disable-3d-apis',
    '--disable-dev-shm-usage',
    '--js-flags=--max-old-space-size=512',
  ]
}

/** All traffic of pages goes through the proxy, and Chromium asks for nothing by itself. */
function networkArguments(proxyUrl: string): string[] {
  return [
    `--proxy-server=${proxyUrl}`,
    // Without this rule Chromium would bypass the proxy for loopback addresses.
    '--proxy-bypass-list=<-loopback>',
    '--disable-quic',
    // The headless build takes WebRTC's policy under the first name, the whole browser under the second (measured).
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-background-networking',
    '--dns-prefetch-disable',
    '--disable-features=WebTransport,DnsOverHttps,AsyncDns',
    '--no-pings',
  ]
}

/** For a Chromium that a library connects to, instead of starting it. */
export async function rentedArguments({
  program,
  proxyUrl,
  sandbox,
}: {
  readonly program: string
  readonly proxyUrl: string
  readonly sandbox: boolean
}): Promise<string[]> {
  return [
    '--headless=new',
    `--user-agent=${await userAgentOf(program)}`,
    ...networkArguments(proxyUrl),
    ...(sandbox ? [] : ['--no-sandbox']),
    ...['--no-first-run', '--no-default-browser-check', '--no-service-autorun'],
    ...['--disable-component-update', '--disable-default-apps', '--disable-sync'],
    ...['--disable-breakpad', '--disable-dev-shm-usage', '--metrics-recording-only'],
    ...['--password-store=basic', '--use-mock-keychain', '--mute-audio', '--hide-scrollbars'],
    `--window-size=${rentedWindow.width},${rentedWindow.height}`,
  ]
}

/** Replaces Playwright's own profile in the temporary folder, which would stay there after a kill. */
async function startScript(
  { executablePath, sandbox }: ChromiumOptions,
  { profile }: BrowserFolder,
  pidFile: string,
): Promise<string> {
  const head = `#!${launcherShell}
${closeFrom(descriptorsKept)}echo $$ > '${quote(pidFile)}'
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
      'Chromium cannot run in its sandbox as root, and setpriv, which starts it as the user nobody, is missing. Install the package util-linux.',
    )
  return `${head}chown -R ${unprivilegedUserId}:${unprivilegedUserId} "$profile" || exit 1
export HOME="$profile" XDG_CONFIG_HOME="$profile" XDG_CACHE_HOME="$profile"
cd "$profile" || exit 1
unset OLDPWD
exec '${setpriv}' --reuid=${unprivilegedUserId} --regid=${unprivilegedUserId} --clear-groups --inh-caps=-all ${target}`
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

/** Playwright starts Chromium as the leader of a process group, so this ends all its remaining processes. */
function killGroup(pid: number): void {
  if (!Number.isInteger(pid) || pid <= 1) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}

function explainLaunch(thrown: unknown): Error {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  if (/sandbox|namespace|zygote/i.test(text))
    return new Error(
      'Chromium cannot use its sandbox because this machine forbids user namespaces. Allow them, or set CHROMIUM_SANDBOX=off in a container without privileges.',
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
