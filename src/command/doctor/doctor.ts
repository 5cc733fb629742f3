// `tollway doctor`: whether this machine and these settings are right for a gateway.
import path from 'node:path'
import type { Surroundings } from '@tollway/command'
import { providers } from '#catalog/providers.ts'
import { errorMessageOf } from '#platform/thrown.ts'
import { readPluggedConfig } from '#plugins/plugged-config.ts'
import { type Plugin, settingsOf } from '#plugins/plugin.ts'
import { readEnvironmentFile } from '#start/environment-file.ts'
import { misspeltSettings } from '#start/setting-names.ts'
import { type Config, readConfig } from '../../config.ts'
import { attention, type Diagnosis, good, problem } from './diagnosis.ts'
import { checkBoxes, checkChromium, checkPrograms } from './programs.ts'
import { checkDatabase, checkDataFolder, checkDisk } from './storage.ts'
import { checkAddress, checkClock, checkKeys, checkRails, publicServers } from './surroundings.ts'

type Environment = Surroundings['environment']

/** The verb. Resolves to the exit code: 1 if there is a problem. `clocks` are servers to compare the clock with. */
export async function runDoctor(
  { environment, folder, output }: Pick<Surroundings, 'environment' | 'folder' | 'output'>,
  clocks = publicServers(),
): Promise<number> {
  const findings = await examine(environment, folder, clocks)
  const isWell = findings.every(({ state }) => state !== 'problem')
  output.print({ ok: isWell, findings }, () =>
    findings.map((finding) => showFinding(finding, output)).join('\n'),
  )
  return isWell ? 0 : 1
}

const marks = { good: ['green', '✓'], attention: ['yellow', '!'], problem: ['red', '✗'] } as const

function showFinding({ subject, state, says, fix }: Diagnosis, { style }: Surroundings['output']) {
  const [colour, mark] = marks[state]
  const line = `${style(colour, mark)} ${style('bold', subject)}: ${says}`
  return fix === undefined ? line : `${line}\n    ${fix}`
}

async function examine(
  environment: Environment,
  folder: string,
  clocks: readonly string[],
): Promise<Diagnosis[]> {
  const node = good('Node', `${process.versions.node}.`)
  const { config, plugins = [], finding } = await readOrExplain(environment, folder)
  const machine = [checkBoxes(), checkPrograms()]
  if (config === undefined) {
    const usual = readConfig({})
    return [node, finding, ...(await Promise.all([checkChromium(usual), ...machine])).flat()]
  }
  const dataDir = path.resolve(folder, config.DATA_DIR)
  const checked = await Promise.all<Diagnosis | readonly Diagnosis[]>([
    checkDataFolder(dataDir),
    checkDisk(dataDir),
    checkDatabase(config, dataDir),
    checkAddress(config),
    checkChromium(config),
    ...machine,
    checkKeys(config),
    checkRails(config, dataDir, plugins),
    checkClock(clocks),
  ])
  return [node, finding, ...findMisspelt(environment, folder, plugins), ...checked.flat()]
}

async function readOrExplain(
  environment: Environment,
  folder: string,
): Promise<{ config?: Config; plugins?: readonly Plugin[]; finding: Diagnosis }> {
  try {
    const set = { ...readEnvironmentFile(folder), ...environment }
    const read = await readPluggedConfig(set, folder)
    return { ...read, finding: good('Settings', 'They are valid.') }
  } catch (error) {
    const says = errorMessageOf(error)
    return { finding: problem('Settings', says, 'docs/reference/config.md lists all settings.') }
  }
}

function findMisspelt(
  environment: Environment,
  folder: string,
  plugins: readonly Plugin[],
): Diagnosis[] {
  const file = Object.keys(readEnvironmentFile(folder))
  const sentences = misspeltSettings(
    { environment: Object.keys(environment), file, ofPlugins: plugins.map(settingsOf) },
    [...providers, ...plugins.flatMap((plugin) => plugin.providers ?? [])],
  )
  return sentences.map((says) => attention('Settings', says, 'Correct or remove it.'))
}
