// The verbs of callers, in the order of the help.
import type { Verb } from '../verb.ts'
import { balance, createKey, keys, revokeKey, transactions } from './account.ts'
import { connect } from './connect.ts'
import { deleteFile, download, files, upload } from './files.ts'
import { actions, discover, show } from './finding.ts'
import { addGateway, gateways, removeGateway, useGateway } from './gateways.ts'
import { logs, open, whoami } from './looking.ts'
import { mcp } from './mcp.ts'
import { job, jobs, quote, run } from './running.ts'
import { closeSession, openSession, runInSession, sessions, showSession } from './sessions.ts'
import { login, logout } from './signing-in.ts'

export const callerVerbs: readonly Verb[] = [
  login,
  logout,
  whoami,
  gateways,
  addGateway,
  useGateway,
  removeGateway,
  discover,
  actions,
  show,
  quote,
  run,
  jobs,
  job,
  balance,
  transactions,
  logs,
  keys,
  createKey,
  revokeKey,
  files,
  upload,
  download,
  deleteFile,
  sessions,
  openSession,
  runInSession,
  showSession,
  closeSession,
  connect,
  open,
  mcp,
]
