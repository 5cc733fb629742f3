// The codes of ISO 3166: two letters and three letters of each country.

const codes = [
  'ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW',
  'AXALA AZAZE BABIH BBBRB BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN',
  'BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG',
  'CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE',
  'DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN',
  'FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL',
  'GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV',
  'HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM',
  'JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO',
  'LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE',
  'MFMAF MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS',
  'MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL',
  'NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM PNPCN PRPRI',
  'PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN',
  'SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV',
  'SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON',
  'TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN',
  'VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE',
]

const threeLetters = new Map(
  codes.flatMap((line) => line.split(' ')).map((pair) => [pair.slice(0, 2), pair.slice(2)]),
)

/** `DE` becomes `DEU`. */
export const threeLettersOf = (code: string): string | undefined => threeLetters.get(code)

/** The states of the United States by name, in lower case. */
export const stateCodes: ReadonlyMap<string, string> = new Map(
  (
    [
      ['alaska', 'AK'],
      ['alabama', 'AL'],
      ['arkansas', 'AR'],
      ['arizona', 'AZ'],
      ['california', 'CA'],
      ['colorado', 'CO'],
      ['connecticut', 'CT'],
      ['district of columbia', 'DC'],
      ['delaware', 'DE'],
      ['florida', 'FL'],
      ['georgia', 'GA'],
      ['hawaii', 'HI'],
      ['iowa', 'IA'],
      ['idaho', 'ID'],
      ['illinois', 'IL'],
      ['indiana', 'IN'],
      ['kansas', 'KS'],
      ['kentucky', 'KY'],
      ['louisiana', 'LA'],
      ['massachusetts', 'MA'],
      ['maryland', 'MD'],
      ['maine', 'ME'],
      ['michigan', 'MI'],
      ['minnesota', 'MN'],
      ['missouri', 'MO'],
      ['mississippi', 'MS'],
      ['montana', 'MT'],
      ['north carolina', 'NC'],
      ['north dakota', 'ND'],
      ['nebraska', 'NE'],
      ['new hampshire', 'NH'],
      ['new jersey', 'NJ'],
      ['new mexico', 'NM'],
      ['nevada', 'NV'],
      ['new york', 'NY'],
      ['ohio', 'OH'],
      ['oklahoma', 'OK'],
      ['oregon', 'OR'],
      ['pennsylvania', 'PA'],
      ['rhode island', 'RI'],
      ['south carolina', 'SC'],
      ['south dakota', 'SD'],
      ['tennessee', 'TN'],
      ['texas', 'TX'],
      ['utah', 'UT'],
      ['virginia', 'VA'],
      ['vermont', 'VT'],
      ['washington', 'WA'],
      ['wisconsin', 'WI'],
      ['west virginia', 'WV'],
      ['wyoming', 'WY'],
    ] as const
  ).map(([name, code]) => [name, code]),
)
