// Every public address other than actions, in the order of the document.

import { consoleFile, consolePage } from '../console/console.ts'
import { siteFile } from '../docs/site/site-routes.ts'
import type { RouteDefinition } from '../doors/route.ts'
import { decideConsent, showConsent } from '../http/oauth/consent.ts'
import {
  authorize,
  exchangeToken,
  gatewayMetadata,
  mcpMetadata,
  registerClient,
  resumeAuthorization,
  revokeToken,
  serverMetadata,
} from '../http/oauth/routes.ts'
import {
  exportTransactions,
  listTransactions,
  readAccount,
  readTransaction,
} from '../http/routes/account.ts'
import { browserFrames, connectBrowser, viewBrowser } from '../http/routes/browsers.ts'
import { downloadFile, listFiles, uploadFile } from '../http/routes/files.ts'
import {
  listRefs,
  oldProtocol,
  readLfs,
  receivePack,
  uploadPack,
  writeLfs,
} from '../http/routes/git.ts'
import { readHealth } from '../http/routes/health.ts'
import { listJobs, readJobStatus, wakeJob } from '../http/routes/jobs.ts'
import { createKey, deleteKey, listKeys, readKey, updateKey } from '../http/routes/keys.ts'
import { completeChat, listModels, readModel, readPricing } from '../http/routes/llm.ts'
import { addAddress, askLink, askLinkByForm, confirmAddress } from '../http/routes/mailed-links.ts'
import { listMediaModels } from '../http/routes/media-catalog.ts'
import { batchRoutes } from '../http/routes/models/batches.ts'
import { readCredits, readGeneration, readOwnKey } from '../http/routes/models/books.ts'
import { modelFileRoutes } from '../http/routes/models/files.ts'
import { countMessageTokens, createMessage } from '../http/routes/models/messages.ts'
import {
  cancelResponse,
  createResponse,
  deleteResponse,
  listInputItems,
  readResponse,
} from '../http/routes/models/responses.ts'
import { surfaceRoutes } from '../http/routes/models/surfaces.ts'
import { createPasskey, registrationOptions } from '../http/routes/passkeys.ts'
import { askPerson, mailPersonLink, optOutPerson, showPerson } from '../http/routes/people.ts'
import {
  healthz,
  listConnections,
  llms,
  readChangelog,
  readChangelogText,
  readDocument,
  readStart,
  readyz,
  searchDocuments,
  welcome,
} from '../http/routes/public.ts'
import { readPage } from '../http/routes/read.ts'
import { describeAll, listActions, readAction, runAction } from '../http/routes/run.ts'
import { savedPlanRoutes } from '../http/routes/saved-plans.ts'
import {
  closeSession,
  listSessions,
  readSession,
  runInOpenSession,
} from '../http/routes/sessions.ts'
import {
  createSignIn,
  deleteSignIn,
  linkPage,
  passkeyOptions,
  readSignIn,
  signInByForm,
  signInByLink,
  signInPage,
  switchAccount,
} from '../http/routes/sign-in.ts'
import { changeMethods, methodsPage } from '../http/routes/sign-in-methods.ts'
import { claimAccount, claimByForm, claimForm } from '../http/routes/sign-up/claim.ts'
import { signUp } from '../http/routes/sign-up/sign-up.ts'
import { soldEndpointRoutes } from '../http/routes/sold-endpoints.ts'
import {
  listStatements,
  readStatement,
  readStatementCsv,
  readStatementPdf,
} from '../http/routes/statements/statements.ts'
import { sumTransactions } from '../http/routes/statements/transaction-sums.ts'
import { readStatus, statusPage } from '../http/routes/status.ts'
import { payIn } from '../http/routes/top-ups.ts'
import { readUsage } from '../http/routes/usage.ts'
import { answerMcp } from '../mcp/door.ts'

/** Tests compare it with what the server answers. */
export const publicRoutes: readonly RouteDefinition[] = [
  welcome,
  llms,
  readStart,
  searchDocuments,
  readChangelog,
  readChangelogText,
  siteFile,
  readDocument,
  ...soldEndpointRoutes,
  readPage,
  consolePage,
  consoleFile,
  healthz,
  listConnections,
  readyz,
  statusPage,
  readStatus,
  describeAll,
  listActions,
  readAction,
  runAction,
  listFiles,
  downloadFile,
  uploadFile,
  connectBrowser,
  viewBrowser,
  browserFrames,
  listMediaModels,
  readJobStatus,
  wakeJob,
  readAccount,
  listKeys,
  createKey,
  readKey,
  updateKey,
  deleteKey,
  ...savedPlanRoutes,
  listJobs,
  listTransactions,
  sumTransactions,
  exportTransactions,
  readTransaction,
  listStatements,
  readStatement,
  readStatementCsv,
  readStatementPdf,
  readHealth,
  readUsage,
  signInPage,
  signInByForm,
  switchAccount,
  methodsPage,
  changeMethods,
  askLinkByForm,
  linkPage,
  signInByLink,
  readSignIn,
  createSignIn,
  deleteSignIn,
  passkeyOptions,
  askLink,
  addAddress,
  confirmAddress,
  registrationOptions,
  createPasskey,
  askPerson,
  mailPersonLink,
  showPerson,
  optOutPerson,
  serverMetadata,
  gatewayMetadata,
  mcpMetadata,
  registerClient,
  authorize,
  resumeAuthorization,
  showConsent,
  decideConsent,
  exchangeToken,
  revokeToken,
  listSessions,
  readSession,
  closeSession,
  runInOpenSession,
  listRefs,
  uploadPack,
  receivePack,
  oldProtocol,
  readLfs,
  writeLfs,
  answerMcp,
  signUp,
  claimForm,
  claimByForm,
  claimAccount,
  payIn,
  completeChat,
  createResponse,
  readResponse,
  deleteResponse,
  cancelResponse,
  listInputItems,
  createMessage,
  countMessageTokens,
  ...surfaceRoutes,
  ...modelFileRoutes,
  ...batchRoutes,
  listModels,
  readModel,
  readPricing,
  readOwnKey,
  readCredits,
  readGeneration,
]
