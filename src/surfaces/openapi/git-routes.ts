import type { Described, Method } from './described.ts'

const access = 'The password in the clone_url of `ns_repo/repo-get` admits to it.'
const withoutLfs: Described = {
  summary: 'Refuse Git LFS with a message that Git shows.',
  errors: ['bad_request'],
}

/** What Git clients ask for. Git speaks its own protocol there, which its own documentation describes. */
export const gitRoutes: Record<string, Partial<Record<Method, Described>>> = {
  '/git/{repository}/info/refs': {
    get: {
      summary: `List the branches and tags of a repository to a Git client. ${access}`,
      type: 'application/x-git-upload-pack-advertisement',
      textErrors: true,
      errors: ['bad_request', 'not_found', 'forbidden'],
    },
  },
  '/git/{repository}/git-upload-pack': {
    post: {
      summary: `Send objects to a Git client that clones or fetches. ${access}`,
      bytes: true,
      type: 'application/x-git-upload-pack-result',
      textErrors: true,
      errors: ['bad_request', 'not_found'],
    },
  },
  '/git/{repository}/git-receive-pack': {
    post: {
      summary: `Take the objects that a Git client pushes. ${access}`,
      bytes: true,
      type: 'application/x-git-receive-pack-result',
      textErrors: true,
      errors: ['bad_request', 'not_found', 'forbidden'],
    },
  },
  '/git/{repository}/{path}': {
    get: {
      summary: 'Refuse Git clients that fetch single files.',
      type: 'text/plain',
      textErrors: true,
      errors: ['not_found'],
    },
  },
  '/git/{repository}/info/lfs/{path}': { get: withoutLfs, post: withoutLfs },
}
