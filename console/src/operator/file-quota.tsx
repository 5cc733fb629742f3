import { useState } from 'preact/hooks'
import { showBytes } from '../format/time.ts'
import { tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { TextField } from '../parts/field.tsx'
import { Shown } from '../parts/notices.tsx'

const bytesPerMegabyte = 1_000_000
const wholeMegabytes = /^\d{1,9}$/
const wrongMegabytes = 'Enter whole megabytes, such as 500.'

/** How much an account stores, and may store. */
export function FileQuota({ id }: { id: string }) {
  const stored = useLoad(id, (signal) =>
    tollway.request('GET /api/v1/admin/accounts/{id}/files', { path: { id }, signal }),
  )
  return (
    <section class="card">
      <h2>Files</h2>
      <Shown of={stored}>
        {({ files, used_bytes, quota_bytes, quota_from }) => (
          <>
            <p>
              {files.toLocaleString()} {files === 1 ? 'file' : 'files'}, {showBytes(used_bytes)} of{' '}
              {showBytes(quota_bytes)}{' '}
              <span class="quiet">
                {quota_from === 'account' ? 'of its own' : 'that the setting gives each account'}
              </span>
            </p>
            <div>
              <ChangeQuota id={id} changed={stored.reload} />
            </div>
          </>
        )}
      </Shown>
    </section>
  )
}

function ChangeQuota({ id, changed }: { id: string; changed: () => void }) {
  const [megabytes, setMegabytes] = useState('')
  const isWrong = megabytes !== '' && !wholeMegabytes.test(megabytes)
  return (
    <ConfirmButton
      label="Space"
      needs="PATCH /api/v1/admin/accounts/{id}/files"
      confirm="Change the space"
      isDangerous={false}
      question="How much may this account store?"
      opened={() => setMegabytes('')}
      work={async () => {
        if (isWrong) throw new Error(wrongMegabytes)
        const quota_bytes = megabytes === '' ? null : Number(megabytes) * bytesPerMegabyte
        await tollway.request('PATCH /api/v1/admin/accounts/{id}/files', {
          path: { id },
          body: { quota_bytes },
        })
        changed()
      }}
    >
      <TextField
        label="Megabytes"
        about="Empty: what the setting gives each account. Files that are stored stay."
        value={megabytes}
        change={(text) => setMegabytes(text.trim())}
        problem={isWrong ? wrongMegabytes : undefined}
      />
    </ConfirmButton>
  )
}
