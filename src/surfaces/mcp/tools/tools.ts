// The tools of the MCP server, in the order in which a new caller needs them.
import type { Catalog } from '#core/catalog.ts'
import type { OpenCallerFiles } from '#core/files.ts'
import type { Log } from '#core/ports.ts'
import type { Keyless } from '#runner/keyless/keyless.ts'
import type { Runner } from '#runner/runner.ts'
import type { SessionRegistry } from '#runner/sessions/registry.ts'
import type { Sessions } from '#runner/sessions/sessions.ts'
import type { DescribeAccount, ReadJobStatus } from '../../doors/reading.ts'
import { createSessionRun } from '../../doors/session-run.ts'
import { createShapeAnswer } from '../answer.ts'
import { createFindingTools } from './finding.ts'
import { createOwningTools } from './owning.ts'
import { createReadPinned, type ReadPinned } from './pinned.ts'
import { createPlanningTools } from './planning.ts'
import { createRunningTools } from './running.ts'
import type { Tool } from './tool.ts'

export interface ToolDependencies {
  readonly catalog: Catalog
  readonly runner: Runner
  readonly keyless: Keyless
  readonly sessions: Sessions
  readonly registry: SessionRegistry
  readonly filesOf: OpenCallerFiles
  readonly describeAccount: DescribeAccount
  readonly readStatus: ReadJobStatus
  readonly ownNamespace: string
  readonly log: Log
}

/** The tools that every request has, and those that it pins. */
export interface ToolSurface {
  readonly own: readonly Tool[]
  readonly readPinned: ReadPinned
}

export function createTools(dependencies: ToolDependencies): ToolSurface {
  const shape = createShapeAnswer(dependencies)
  const runInSession = createSessionRun(dependencies)
  const own = [
    ...createFindingTools(dependencies),
    ...createRunningTools({ ...dependencies, shape }),
    ...createOwningTools({ ...dependencies, runInSession }),
    ...createPlanningTools({ ...dependencies, shape }),
  ]
  return { own, readPinned: createReadPinned({ ...dependencies, shape }) }
}
