import { type DefineErrand, elsewhere } from '#core/gateways/elsewhere.ts'

/** Of a gateway that no other one can be reached from. */
export const noErrands: DefineErrand = () => ({
  async send(place) {
    throw elsewhere(place)
  },
})
