// Each browser has a folder for its profile and its other files.
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { createProcessFolder, type ProcessFolder, sweepProcessFolders } from '../process-folder.ts'

export interface BrowserFolder extends ProcessFolder {
  /** Belongs to the user that Chromium runs as. */
  readonly profile: string
}

const purpose = 'chromium'

export async function createBrowserFolder(parent?: string): Promise<BrowserFolder> {
  const folder = await createProcessFolder(purpose, parent)
  const profile = path.join(folder.path, 'profile')
  await mkdir(profile, { mode: 0o700 })
  return { ...folder, profile }
}

/** Removes the folders of processes that have ended. */
export const sweepBrowserFolders = (parent?: string) => sweepProcessFolders(purpose, parent)
