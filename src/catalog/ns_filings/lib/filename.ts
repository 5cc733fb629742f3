import { z } from '#core/action.ts'

const unreadable = /\.(pdf|gif|jpe?g|png|bmp|tiff?|svgz|zip|gz|xlsx?|docx?|pptx?|mp[34])$/i
/** `xslF345X06/form4.xml` is an HTML rendering of the data in `form4.xml`. */
const rendering = /^xsl[\w-]+\//i

export const filename = z
  .string()
  .trim()
  .max(255)
  .transform((name) => name.replace(rendering, ''))
  .pipe(
    z
      .string()
      .regex(
        /^(?!\.+$)[^/\\?#%\p{C}]+$/u,
        'must be the name of a file of the filing, without a folder',
      )
      .refine((name) => !unreadable.test(name), {
        message:
          'is not readable here: PDFs, images, office files and archives are refused. Use the xml, htm or txt file of the filing',
      }),
  )
