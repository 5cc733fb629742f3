/** Nine digits: registries print EINs as numbers, which lose their leading zeros. */
export const padEin = (ein: string | number) => String(ein).replace(/\D/g, '').padStart(9, '0')

export const profileUrl = (ein: string) =>
  `https://projects.propublica.org/nonprofits/organizations/${Number(ein)}`
