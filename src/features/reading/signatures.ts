// What walls, errors and empty pages say, whoever made them. Every pattern is plain: no nested repeats, so that none of them
// can be made to run long.

/** The whole title or first heading, near enough. */
export const wallTitles: readonly RegExp[] = [
  /^(?:just a moment|one moment,? please|attention required!?|access (?:to this page )?(?:has been )?(?:is )?(?:denied|blocked|restricted)|blocked|robot (?:check|or human)|are you (?:a )?(?:human|robot)|security (?:check(?:point)?|verification|challenge)|human verification|bot (?:verification|detection|check)|pardon our interruption|client challenge|captcha(?: required| challenge)?|verif(?:y|ying|ication)(?: (?:you are human|your (?:browser|connection)))?|ddos-guard|making sure you(?:'|’)?(?:re| are) not a bot|please (?:verify|wait|enable (?:js|javascript|cookies))|checking your browser|request (?:rejected|blocked)|you (?:have been|are) (?:blocked|unable to access)|sorry,? you have been blocked|forbidden|unauthorized|(?:4(?:01|03|29)|503)\b[\s:-]*(?:forbidden|error|unauthorized|too many requests|service (?:temporarily )?unavailable)?|too many requests|rate limit exceeded|error 10(?:06|07|08|09|10|12|15|20)|vercel security checkpoint)[\s.…!?|:-]*(?:$|[|–—-]|\.\.\.)/i,
  /^(?:access|zugriff|accès|acceso|accesso|toegang|dostęp|acesso|доступ)\s+(?:verweigert|gesperrt|refusé|bloqué|denegado|negato|geweigerd|zabroniony|negado|запрещ|ограничен)/i,
  /(?:アクセスが(?:拒否|制限|ブロック)|访问(?:被拒绝|受限|验证)|安全验证|인간임을 확인|접근이? ?(?:거부|차단))/,
  /(?:sicherheits(?:überprüfung|check)|vérification de sécurité|un instant|einen moment(?: bitte)?|un momento|um momento|even geduld|подождите|しばらくお待ち|请稍候|잠시만)[\s.…!]*$/i,
]

/** Said by walls to people. Looked for in the opening of the page only. */
export const wallPhrases: readonly RegExp[] = [
  /verify(?:ing)? (?:that )?you(?:'|’)?(?:re| are) (?:a )?(?:human|not a (?:ro)?bot|real person)/i,
  /(?:confirm|prove|make sure|ensure|check(?:ing)? (?:if|that)) (?:that )?you(?:'|’)?(?:re| are) (?:a )?(?:human|not a (?:ro)?bot|real)/i,
  /checking (?:if the site connection is secure|your browser before (?:accessing|you))/i,
  /(?:needs to|we need to) review the security of your connection/i,
  /performing security verification|complete the security check|(?:additional|human) (?:security )?check is required|security service to protect (?:itself|against)/i,
  /(?:you have been|you are|you were|your (?:ip|access|request|connection)[^.]{0,30}(?:has been|is|was)) (?:temporarily )?(?:blocked|denied|banned|limited|rejected|restricted)/i,
  /you (?:don(?:'|’)t|do not) have permission to access/i,
  /(?<!(?:why|when|if|whether|how|where|that|an?) )access (?:to this (?:page|site|resource|website) )?(?:has been |is |was )?(?:denied|blocked|forbidden)/i,
  /(?:your|this|the) (?:ip|ip address|access|request|connection|visit)[^.\n]{0,30} (?:blocked|rejected|refused|denied|stopped|flagged) (?:by|as|because|for|due)|you(?:'|’)?(?:re| are)? not (?:allowed|permitted|authori[sz]ed) to (?:proceed|continue|access|view|enter)|request (?:looks|appears|seems) (?:to be )?(?:suspicious|automated|malicious)|security check by|(?:blocked|rejected|denied|refused) your (?:request|access|connection|ip)|(?:site|page|server|application) is protected by|malicious (?:code|content|payload|input) (?:was |has been )?detected|forbidden access|provide (?:them )?(?:with )?(?:the )?following (?:reference|incident|event|support)|anti-?(?:ro)?bot (?:check|validation|verification|protection)|(?:your|the) ip (?:address )?(?:will be|is|was|has been) (?:removed|listed|black-?listed|banned|on a)|(?:web application firewall|waf)[^.\n]{0,30} (?:block|reject|prevent)|what you were doing when this page came up/i,
  /(?:firewall|security (?:system|service|policy|rules?|solution)) (?:has |have )?(?:prevented|blocked|rejected|stopped|refused|denied)|malicious (?:activity|request)s? (?:was |were |has been )?(?:blocked|detected)|(?:your|this|the) request (?:is|was|has been) (?:considered|identified|flagged|deemed)|considered a (?:security )?threat|not allowed to (?:view|access|see|visit) th(?:is|e) (?:page|site|website)/i,
  /(?:detected|noticed|seen|identified) (?:some )?(?:unusual|suspicious|automated|abnormal|bot-like|robotic) (?:behaviou?r|activity|traffic|requests)|browsing activity has been paused/i,
  /(?:checking|verifying|securing|establishing|validating) (?:a |your |the )?(?:secure )?(?:connection|browser|device)/i,
  /(?:this|our|the) (?:web ?site|site|page|content|video|service|shop|store|programme|article)[^.\n]{0,30} (?:not |un)available (?:in|to|for) (?:visitors (?:in|from) |users (?:in|from) |readers (?:in|from) )?(?:your|the) (?:country|region|location|area|european)|(?:unavailable|blocked|restricted) (?:for|due to) (?:legal|regulatory|data protection)/i,
  /(?:attack|event|trace|session|block|case) id\s*[:#]\s*[\w-]{4,}|(?:quote|cite|provide|mention|include) (?:the |this )?(?:event|incident|support|reference|request) (?:id|number|code)/i,
  /(?:enable|turn on|allow) (?:java\s?script|js)(?: and| &) cookies/i,
  /please (?:enable|turn on) (?:js|cookies) and disable any ad ?blocker/i,
  /(?:unusual|suspicious|automated|abnormal) (?:traffic|activity|requests|access|queries)/i,
  /(?:press|click|tap) (?:(?:and|&) hold|the button below|and hold) to (?:confirm|prove|verify|continue)|press (?:and|&) hold/i,
  /(?:solve|complete|enter|type|fill) (?:the|this|a|out the)? ?(?:captcha|puzzle|challenge|characters you see)/i,
  /(?:something about your browser|we think you (?:might|may) be a (?:ro)?bot|you(?:'|’)?re a bot|as you were browsing)/i,
  /i(?:'|’)?m (?:not a robot|human)|not a robot/i,
  /you(?:(?:'|’)(?:ve|re)| have| are)? [^.\n]{0,40}(?:rate limited|too many requests)/i,
  /(?:ray id|incident id|support id|reference (?:id|number|#)|request id|error reference)\s*[:#]/i,
  /ddos (?:protection|attack)/i,
  /kein (?:roboter|bot)|mensch sind|zugriff (?:verweigert|wurde)|ungewöhnlich(?:e|en)? (?:datenverkehr|aktivität)/i,
  /vous n(?:'|’)êtes pas un robot|êtes (?:bien )?humain|accès (?:refusé|bloqué|temporairement)|trafic inhabituel/i,
  /no (?:eres|soy|es) un robot|eres (?:un )?humano|acceso (?:denegado|bloqueado)|tráfico inusual/i,
  /non (?:sei|sono) un robot|accesso (?:negato|bloccato)|traffico insolito/i,
  /não (?:é|sou) um robô|acesso (?:negado|bloqueado)|tráfego incomum/i,
  /geen robot|toegang (?:geweigerd|geblokkeerd)|nie jesteś robotem|dostęp (?:zabroniony|zablokowany)|robot değil|erişim engellendi/i,
  /не робот|доступ [^.\n]{0,20}(?:запрещ[её]н|ограничен|заблокирован|заборонено|обмежено)|(?:адрес|запрос|доступ) [^.\n]{0,30}заблокирован|подозрительн(?:ая|ую) активность|провер(?:ка|яем)[^.\n]{0,10} браузер|слишком много запросов|запросы [^.\n]{0,40} похожи на автоматические/i,
  /ロボットではありません|ロボットではないこと|人間であること|アクセスが(?:拒否|制限|遮断)|リクエストが多すぎ|不審な/,
  /不审|(?:人机|安全|身份|滑动|滑块|拼图)(?:识别|验证|驗證|校验)|(?:请|請)[^。\n]{0,12}(?:完成|通过|拖动|滑动|点击)[^。\n]{0,12}(?:验证|驗證|滑块|拼图)|访问(?:过于)?频繁|请求(?:过于)?频繁|機器人|(?:访问|請求|请求|IP)[^。\n]{0,24}(?:被阻断|被拦截|被拒绝|被禁止|设置(?:为)?拦截)|非法(?:请求|访问)|攻击请求/,
  /로봇이 아닙니다|로봇이 아님|비정상적인 (?:접근|트래픽)|접근이? ?(?:거부|차단)|요청이 너무 많/,
  ...wallPhrasesElsewhere(),
]

/**
 * The four things that walls say (prove that you are no robot, you are refused, your network is unusual, you ask too often) in
 * the languages that have no line of their own above.
 */
function wallPhrasesElsewhere(): readonly RegExp[] {
  return [
    [
      'ikke (?:er )?en robot|inte (?:är )?en (?:robot|bot)|är (?:en )?människa|(?:er|du er) (?:et )?menneske|et ole robotti|olet ihminen',
      'nejste robot|nejsem robot|nie ste robot|nem (?:vagyok|ön) robot|hogy ember|nu (?:sunt|ești|sunteți) (?:un )?robot|δεν (?:είστε|είμαι) ρομπότ|ne jste robot|niste robot|nisam robot',
      'bukan (?:robot|bot)|(?:apakah )?anda manusia|robot olmad|insan oldu|không phải (?:là )?(?:robot|người máy)|là con người',
      'ไม่ใช่(?:หุ่นยนต์|โรบอท|บอท|โปรแกรม)|เป็นมนุษย์|रोबोट नहीं|इंसान हैं|मानव हैं|אינך רובוט|אינני רובוט|לא רובוט|שאתה אנושי|לست روبوت|لست (?:روبوت|برنامج)|أنك (?:إنسان|بشر)|ربات نیستید|রোবট নন',
    ],
    [
      'adgang (?:nægtet|er spærret)|adgangen er|(?:tilgang|adgang) (?:nektet|avslått)|åtkomst(?:en)? (?:nekad|nekas|har)|pääsy (?:estetty|kielletty)|ei ole oikeutta',
      'přístup (?:odepřen|zakázán|zablokován)|prístup (?:zamietnutý|odmietnutý)|hozzáférés megtagadva|acces(?:ul)? (?:interzis|refuzat|blocat|restricționat)|η πρόσβαση (?:απαγορεύεται|αποκλείστηκε)|pristup (?:odbijen|zabranjen)|достъпът е',
      'akses (?:ditolak|diblokir|dibatasi)|erişim(?:iniz)? (?:reddedildi|engellendi|engellenmiştir)|(?:truy cập|yêu cầu)[^.\\n]{0,20} bị (?:từ chối|chặn)|(?:żądanie|dostęp)[^.\\n]{0,20} zablokowan',
      'ถูก(?:ปฏิเสธ|บล็อก|ระงับ)การ|ถูก(?:ปฏิเสธ|บล็อก)|ไม่ได้รับอนุญาตให้เข้า|(?:पहुँच|पहुंच|एक्सेस) (?:अस्वीकृत|निषेध|अवरुद्ध|रोक)|הגישה[^.\\n]{0,20} נחסמה|(?:הבקשה|בקשתך)[^.\\n]{0,10} נחסמה|(?:رفض|حظر|منع) (?:الوصول|طلبك|الدخول|وصولك)|دسترسی (?:شما )?(?:مسدود|محدود|غیرمجاز)',
    ],
    [
      'ovanlig trafik|misstänkt trafik|usædvanlig (?:trafik|aktivitet)|uvanlig (?:trafikk|aktivitet)|epätavallis\\S* liikenne',
      'neobvykl\\S* (?:provoz|aktivit)|szokatlan (?:forgalm|tevékenység)|trafic neobișnuit|ασυνήθιστη (?:κίνηση|δραστηριότητα)|nietypow\\S* (?:ruch|aktywność)|незвичн\\S* (?:трафік|активність)',
      '(?:aktivitas|lalu lintas) (?:yang )?(?:tidak biasa|tidak wajar|mencurigakan)|olağan ?dışı (?:trafik|etkinlik|hareket)|(?:hoạt động|lưu lượng) bất thường|(?:การใช้งาน|กิจกรรม|การเข้าชม)ที่ผิดปกติ|असामान्य (?:गतिविधि|ट्रैफ़िक|ट्रैफिक)|(?:תעבורה|פעילות) (?:חריגה|חשודה)|(?:نشاط|حركة مرور) غير (?:عادي|معتاد)|ترافیک غیرعادی',
    ],
    [
      'zu viele anfragen|trop de requêtes|demasiadas (?:solicitudes|peticiones)|muitas (?:solicitações|requisições)|troppe richieste|te veel (?:verzoeken|aanvragen)|för många (?:förfrågningar|anrop)|for mange (?:forespørsler|anmodninger|forespørgsler)|liian monta pyyntöä|zbyt (?:wiele|dużo) (?:żądań|zapytań)|příliš mnoho (?:požadavků|dotazů)|túl sok kérés|prea multe (?:cereri|solicitări)|çok fazla istek|terlalu banyak permintaan|quá nhiều (?:yêu cầu|lượt)|คำขอมากเกินไป|बहुत (?:अधिक|ज़्यादा|सारे) अनुरोध|יותר מדי בקשות|طلبات كثيرة جد|забагато запитів|πάρα πολλά αιτήματα',
    ],
  ].map((patterns) => new RegExp(patterns.join('|'), 'iu'))
}

/**
 * What the refusals of firewalls are made of, whoever made the firewall: a short page with several of these and little else
 * is one. `needed`: one of these must be among them.
 */
export const refusalWords: readonly { readonly pattern: RegExp; readonly needed: boolean }[] = [
  {
    needed: true,
    pattern:
      /\b(?:block(?:ed|ing)?|den(?:y|ied)|reject(?:ed)?|refused|forbidden|intercepted|prevented|prohibited|restricted|terminated)\b/i,
  },
  {
    needed: false,
    pattern: /\b(?:requests?|requested|access(?:ing)?|connection|traffic|visit)\b/i,
  },
  {
    needed: false,
    pattern: /\b(?:firewall|mod_?security|waf|security|protected|protection|shield|gateway)\b/i,
  },
  {
    needed: true,
    pattern:
      /\b(?:suspicious|malicious|attack(?:s|ed)?|threats?|intrusion|harmful|dangerous|unauthori[sz]ed|unsafe|virus|spyware|hack(?:ing|er)?|non-?standard|unusual|abnormal)\b/i,
  },
  {
    needed: false,
    pattern:
      /\b(?:administrator|webmaster|site owner|owner of the (?:web ?)?site|website owner|support team)\b/i,
  },
  { needed: false, pattern: /\b(?:ip address|your ip|url|uniform resource locator)\b/i },
  {
    needed: false,
    pattern: /\b(?:logged|recorded|incident|rules?|policy|policies|reasons?|detected)\b/i,
  },
]

/** The page that was asked for is not there, or its server failed. */
export const errorTitle =
  /^\s*(?:(?:http )?(?:error )?[45]\d\d\b|page (?:not found|does(?:n(?:'|’)t| not) exist)|not found|site (?:not found|can(?:'|’)t be reached)|(?:bad gateway|gateway time-?out|service (?:temporarily )?unavailable|internal server error|server error|bad request|application error)\b|error\b.{0,3}$|oops|something went wrong|file not found|(?:nothing|no results?|no matches) found|this (?:product|item|page|listing) is no longer available|(?:your )?session (?:has )?(?:expired|timed out)|(?:fatal|parse|database|unexpected) error\b|(?:down|closed|offline) for maintenance|(?:site |website )?under (?:maintenance|construction)$|we(?:'|’)?(?:ll| will) be (?:right )?back|seite nicht gefunden|page (?:non trouvée|introuvable)|página no encontrada|pagina non trovata|страница не найдена|ページが見つかりません|页面不存在|welcome to nginx|apache2? .{0,20}default page|domain (?:is )?(?:for sale|parked)|account suspended|this site can(?:'|’)t)/i

/** Titles and first headings of that kind in other languages. */
export const errorTitlesElsewhere: readonly RegExp[] = [
  /^\s*(?:(?:fehler|erreur|errore?|erro|błąd|ошибка|خطأ|hata|fout) [45]\d\d\b|wartungs(?:arbeiten|modus)|wegen wartung|site en maintenance|(?:sitio|página|site) en? (?:mantenimiento|manutenção)|in manutenzione|onderhoud$|przerwa techniczna|prace konserwacyjne|технические работы|ведутся (?:технические )?работы|bakım)/i,
  /(?:seite|artikel|produkt) (?:wurde )?(?:leider )?nicht (?:gefunden|verfügbar)|page (?:non trouvée|introuvable)|página no (?:encontrada|existe|disponible)|página não encontrada|pagina (?:non trovata|niet gevonden)|nie znaleziono strony|strona nie (?:została znaleziona|istnieje)|страница не (?:найдена|существует)|sayfa bulunamadı|sidan (?:hittades inte|finns inte)|الصفحة غير موجودة|페이지를 찾을 수 없|ページ(?:が|は)(?:見つかりません|存在しません)|(?:页面|網頁|网页|頁面)(?:不存在|未找到|找不到)|メンテナンス中|系统维护|점검 ?중/i,
  new RegExp(
    [
      'siden (?:findes ikke|blev ikke fundet|ble ikke funnet|finnes ikke|eksisterer ikke)|fant ikke siden|sivua ei (?:löydy|löytynyt)|(?:sidan|artikeln) (?:kunde inte hittas|hittades inte|finns inte)|síðan fannst ekki',
      'stránka (?:nenalezena|neexistuje|nebyla nalezena|sa nenašla)|az oldal nem található|pagina nu (?:a fost găsită|există)|η σελίδα δεν (?:βρέθηκε|υπάρχει)|сторінк[уа] не (?:знайдено|існує)|страницата не е намерена|stranica ni(?:je)? (?:pronađena|najdena)',
      'halaman tidak (?:ditemukan|ada)|laman tidak (?:dijumpai|ditemui)|không tìm thấy (?:trang|nội dung|sản phẩm)|trang (?:không tồn tại|bạn tìm)|ไม่พบ(?:หน้า|ข้อมูล|สินค้า)|(?:पृष्ठ|पेज) (?:नहीं मिला|उपलब्ध नहीं)|הדף (?:לא נמצא|שחיפשת|אינו קיים)|העמוד (?:לא נמצא|אינו קיים)|صفحه (?:مورد نظر )?(?:یافت|پیدا) نشد|পৃষ্ঠা(?:টি)? পাওয়া যায়নি',
      '(?:em|en) manutenç|estamos em manutenção|under vedligehold|vedlikehold|underhåll pågår|huoltokatko|údržba|karbantartás|mentenanță|bảo trì|ปิดปรับปรุง|रखरखाव|בתחזוקה|قيد الصيانة|sedang (?:dalam )?(?:pemeliharaan|perbaikan)',
      'fastly error|\\d{3} backend fetch failed|default (?:web )?page|index of /?$^|account has been suspended|website (?:is )?(?:suspended|disabled|expired)|opening soon|coming soon$|unsupported browser',
    ].join('|'),
    'iu',
  ),
]

/**
 * What a page says of itself to its reader when it has nothing to give: it is elsewhere, gone, closed, for others. Looked
 * for in short pages only, outside of quotes.
 */
export const notices: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  {
    what: 'not found',
    pattern:
      /(?:we|i) (?:can(?:'|’)?t|cannot|can not|couldn(?:'|’)?t|could not|were unable to|are unable to) (?:seem to )?find (?:the|that|this|what|any)|(?:page|product|item|article|listing|content)[^.\n]{0,20} you(?:(?:'|’)?re| are| were)? (?:looking|searching|trying|requested|want)[^.\n]{0,20}[^.\n]{0,40}(?:not|n(?:'|’)t|no longer|removed|moved|deleted|gone)|(?:product|item|listing|offer|page|article|content) is no longer available|no (?:results|matches|products) (?:were )?found|was not found on this server/i,
  },
  {
    what: 'not found',
    pattern:
      /(?:gesuchte|angeforderte) (?:seite|artikel)|page (?:que vous (?:cherchez|recherchez|demandez)|demandée)|página (?:que (?:buscas|busca|está buscando|procura)|solicitada)|pagina (?:richiesta|che (?:cerchi|stai cercando)|die u zoekt)|strona, której szukasz|запрашиваемая страница|الصفحة التي تبحث عنها|访问的页面|お探しのページ|요청하신 페이지|aradığınız sayfa/i,
  },
  {
    what: 'failure',
    pattern:
      /(?:there has been|has encountered|experienced|occurred|encountered) (?:a|an) (?:critical|fatal|unexpected|internal) error|^(?:php )?(?:fatal|parse) error\b|^uncaught (?:error|exception|typeerror)|^warning: .{0,120} on line \d|an? (?:unexpected |internal )?error (?:has )?occurred|error establishing a database connection|^traceback \(most recent call last\)/im,
  },
  {
    what: 'maintenance',
    pattern:
      /we(?:(?:'|’)re| are) (?:currently |now )?(?:performing|undergoing|doing|carrying out|down for|offline for) [^.\n]{0,30}(?:maintenance|updates|upgrade)|(?:we|site)(?:(?:'|’)ll| will) be (?:right )?back (?:soon|shortly|online)|(?:currently|temporarily) (?:down|unavailable|offline|undergoing)|wir sind (?:gleich|bald) (?:zurück|wieder)|derzeit nicht (?:verfügbar|erreichbar)|nous (?:serons|revenons) [^.\n]{0,20}(?:bientôt|retour)|volver(?:emos|e) (?:pronto|en breve)|voltaremos em breve|torneremo presto|chwilowo niedostępn|временно недоступ|скоро вернёмся/i,
  },
  {
    what: 'members only',
    pattern:
      /you (?:must|need to|have to) (?:be )?(?:log(?:ged)? ?in|sign(?:ed)? ?in|register(?:ed)?)|(?:log|sign) ?in (?:again )?to (?:continue|view|see|access)|your session (?:has )?(?:expired|timed out)|(?:müssen|bitte) (?:sich )?(?:angemeldet|anmelden|einloggen)|devez (?:être connecté|vous connecter)|(?:debes|debe) (?:iniciar sesión|estar registrado)|faça login para|devi (?:accedere|effettuare)|требуется авторизация|请(?:先)?登录|ログインしてください|로그인이 필요/i,
  },
  {
    what: 'subscribers only',
    pattern:
      /(?:for|to) (?:paying |registered )?(?:subscribers|members) only|(?:subscribe|register|sign up) (?:now )?to (?:continue|keep|read)|(?:continue|keep) reading (?:with|for|by)|(?:limit|number) of free articles|(?:nur|exklusiv) für (?:abonnenten|mitglieder)|(?:réservé|réservée) aux abonnés|(?:solo|exclusivo) para suscriptores|(?:solo|riservato) (?:per|agli) abbonati|alleen voor abonnees|exclusivo para assinantes|tylko dla (?:prenumeratorów|subskrybentów)|только (?:для|по) подписк|この記事は(?:有料|会員)|(?:订阅|登录)后(?:继续|可)/i,
  },
  {
    what: 'age check',
    pattern:
      /are you (?:over|at least|older than) (?:18|19|20|21)\b|(?:must be|of) (?:of )?legal (?:drinking )?age|(?:bist du|sind sie) (?:über|mindestens) (?:16|18)|avez-vous (?:plus de )?18|(?:eres|tienes) (?:mayor|más) de (?:edad|18)/i,
  },
  {
    what: 'browser refused',
    pattern:
      /your browser is (?:not supported|no longer supported|out ?of ?date|outdated|unsupported)|(?:please )?(?:upgrade|update|switch) (?:to a )?(?:your |recent version|supported |modern )[^.\n]{0,20}(?:browser|chrome)|(?:ihr|dein) browser wird nicht unterstützt|votre navigateur n(?:'|’)est pas|(?:su|tu) navegador no es compatible/i,
  },
  {
    what: 'not found',
    pattern:
      /(?:siden|sidan),? (?:du|som du) (?:leder|ledte|søgte|söker|sökte|leter|lette|prøver)|etsimääsi sivua|hledaná stránka|keresett oldal|pagina pe care o|σελίδα που (?:αναζητάτε|ψάχνετε)|halaman yang (?:anda )?(?:cari|minta)|trang (?:mà )?bạn (?:đang )?(?:tìm|yêu cầu)|หน้า(?:นี้|ที่คุณ)[^\n]{0,30}(?:ลบ|ย้าย|ไม่มี|ค้นหา|ต้องการ)|(?:जिस|यह) (?:पृष्ठ|पेज)[^\n]{0,60}(?:मौजूद नहीं|हटा)|הדף שחיפשת|העמוד שחיפשת|tato nabídka již není|(?:angebot|produkt|anzeige) ist nicht mehr verfügbar|(?:produit|annonce|offre) n(?:'|’)est plus disponible|(?:producto|anuncio|oferta) ya no está disponible/iu,
  },
  {
    what: 'members only',
    pattern:
      /(?:log|sign) ?in (?:or (?:sign|join)[^.\n]{0,20} )?to (?:see|discover|connect|get)|(?:join|sign up)[^.\n]{0,20} to (?:see|view|continue|read)|logga in för att|log(?:g)? (?:ind|inn) for at|logg inn for å|kirjaudu sisään|přihlaste se|jelentkezz be|đăng nhập để|เข้าสู่ระบบเพื่อ|लॉग ?इन करें|התחבר(?:ו)? כדי|سجل الدخول/iu,
  },
  {
    what: 'subscribers only',
    pattern:
      /(?:this|the) (?:post|article|story|content|issue|episode) is (?:only )?(?:for|exclusive(?:ly)? (?:to|for)) (?:paid |paying |premium )?(?:subscribers|members)|subscribe to (?:continue|keep|unlock|read)|upgrade to (?:read|see|continue)|(?:read|have) your last free|(?:artikeln?|saken|artikkelen?) är för (?:prenumeranter|plus)|(?:för|for) (?:prenumeranter|abonnenter)|bli (?:prenumerant|abonnent)|läs vidare|(?:dieser|der) (?:artikel|inhalt|text)[^.\n]{0,30}(?:abonnent|exklusiv)|weiterlesen mit|jetzt [^.\n]{0,12}abo|tilaajille|pro předplatitele|előfizetőknek|dành cho (?:thuê bao|hội viên)|למנויים בלבד|للمشتركين فقط/iu,
  },
  {
    what: 'not served here',
    pattern:
      /(?:this|our|the) (?:web ?site|site|page|content|video|service|shop|store|programme|article)[^.\n]{0,30} (?:not|n(?:'|’)t) (?:currently )?available in your (?:country|region|location|area)|in deinem land nicht verfügbar|pas disponible dans votre (?:pays|région)|no está disponible en tu (?:país|región)/i,
  },
  {
    what: 'host of nobody',
    pattern:
      /unknown domain\b|account has been suspended|domain has been added to a service|if you see this page,[^.\n]{0,40} web server|contact your hosting provider|(?:may|can) be (?:for sale|purchased)|this site is not configured/i,
  },
  {
    what: 'not open yet',
    pattern:
      /be the first to know when we (?:launch|open)|(?:launching|opening|coming) soon[\s.!…]*$|are you the store owner/im,
  },
  {
    what: 'failure',
    pattern:
      /^(?:something went wrong|application error|an unhandled error has occurred)\b|your page could not be served|guru meditation/im,
  },
  {
    what: 'maintenance',
    pattern:
      /under vedligehold|vedlikehold|underhåll|huoltokatko|bảo trì|ปิดปรับปรุง|रखरखाव|בתחזוקה|قيد الصيانة|dalam (?:pemeliharaan|perbaikan)|メンテナンス中|estamos em manutenção|en mantenimiento|fora do ar/iu,
  },
  {
    what: 'parked domain',
    pattern: /(?:this )?domain (?:name )?(?:is|may be) (?:for sale|parked)|buy this domain/i,
  },
]

/** What a consent dialog asks for; a page on cookies asks for nothing. */
export const consentChoice =
  /\b(?:accept|agree|reject|allow all|decline|akzeptieren|zustimm\w*|ablehnen|accepter|refuser|aceptar|rechazar|accetta|rifiuta|akkoord|accepteren|toestemming|aceitar|rejeitar|akceptuj\w*|zgadzam|godkänn\w*|accept[eé]r\w*|afvis\w*|avvis\w*|hyväksy\w*|accetto|přijmout|elfogad\w*|alles|kabul)(?![\p{L}])|принять|同意|동의/iu
export const consentMention =
  /cookie|consent|privacy|partners|personali[sz]ed|einwilligung|datenschutz|confidentialité|consentement|toestemming|privacidad|privacidade|samtykke|samtycke|privatliv|personvern|informazioni|tracking|werbung|abo\b|evästeet|soukrom|adatvédel|gizlilik|прайваси|隐私|クッキー/i
