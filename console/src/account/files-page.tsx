import { shownName } from '@tollway/client'
import { useRef, useState } from 'preact/hooks'
import { useAddressedText, usePages } from '../addressed.ts'
import { filled } from '../filled.ts'
import { showBytes } from '../format/time.ts'
import { onThisOrigin, tollway } from '../gateway.ts'
import { useLoad, useRested, useWork } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { Field, TextField } from '../parts/field.tsx'
import { shortened } from '../parts/foreign.tsx'
import { Form } from '../parts/form.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { saveAs } from '../parts/save.ts'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { WorkButton } from '../parts/work-button.tsx'

const restMs = 300
const filesPerPage = 50

export function FilesPage(_: PageProps) {
  const [query, setQuery] = useAddressedText('search')
  const asked = useRested(query.trim(), restMs)
  const pages = usePages()
  const files = useLoad(`${asked} ${pages.cursor}`, (signal) =>
    tollway.request('GET /api/v1/files', {
      query: filled({ limit: filesPerPage, query: asked, cursor: pages.cursor }),
      signal,
    }),
  )
  return (
    <Page title="Files">
      <Upload stored={files.reload} />
      <TextField label="Search by name" type="search" value={query} change={setQuery} />
      <Shown of={files}>
        {({ files: rows, next_cursor, used_bytes, quota_bytes }) => (
          <>
            <p class="quiet">
              {showBytes(used_bytes)} of {showBytes(quota_bytes)} are used.
            </p>
            <Table
              caption="Files"
              rows={rows}
              idOf={({ file_id }) => file_id}
              empty="No files match."
              columns={[
                {
                  name: 'Name',
                  show: ({ filename, file_id }) => <Download id={file_id} name={filename} />,
                },
                { name: 'Type', show: ({ mime }) => mime },
                { name: 'Size', isAmount: true, show: ({ size }) => showBytes(size) },
                { name: 'Stored', show: ({ created_at }) => <Time at={created_at} /> },
                { name: 'Tags', show: ({ tags }) => tags.map((tag) => <Tag key={tag}>{tag}</Tag>) },
                {
                  name: 'Delete',
                  show: ({ file_id, filename }) => (
                    <ConfirmButton
                      label="Delete"
                      of={shownName(filename)}
                      confirm="Delete the file"
                      question={`The file ${shortened(shownName(filename))} is deleted. This cannot be undone.`}
                      work={async () => {
                        await tollway.run('files/delete', { file_id })
                        files.reload()
                      }}
                    />
                  ),
                },
              ]}
            />
            <Pager pages={pages} next={next_cursor} />
          </>
        )}
      </Shown>
    </Page>
  )
}

const nameCharactersMax = 60

/** The signed address lasts for minutes, so it is asked for when the file is wanted. */
const Download = ({ id, name }: { id: string; name: string }) => (
  <WorkButton
    kind="plain"
    work={async () => {
      const { data } = await tollway.run('files/get', { file_id: id })
      saveAs(name, onThisOrigin(data.get_url))
    }}
  >
    <bdi title={shownName(name)}>{shortened(shownName(name), nameCharactersMax)}</bdi>
  </WorkButton>
)

function Upload({ stored }: { stored: () => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File>()
  const store = useWork(async () => {
    if (file === undefined) return undefined
    await tollway.files.upload(file, { filename: file.name })
    setFile(undefined)
    if (input.current) input.current.value = ''
    stored()
    return `${shortened(shownName(file.name))} is stored.`
  })
  return (
    <Form
      isCard
      of={store}
      submit="Store"
      kind="main"
      busy="Storing …"
      isReady={file !== undefined}
    >
      <Field label="Store a file" about="It costs 1¢.">
        {(control) => (
          <input
            {...control}
            ref={input}
            type="file"
            onChange={(event) => setFile(event.currentTarget.files?.[0])}
          />
        )}
      </Field>
    </Form>
  )
}
