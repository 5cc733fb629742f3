// The words of those who keep a reader out, by what they mean, in some forty languages, ten of them thinly. A stem is the
// beginning of a word; `_` stands for a space or for the end of a word. A language is added by adding its words.

export const wordsOfWalls = {
  /** You may not. */
  refused: `
    disabled revoked suspended not_welcome not_serve no_access cannot_access can_t_access unable_to_access permission_to
    not_granted rejected stopped flagged quarantine blocked blocking block_ denied deny_ refused forbidden prohibited restricted
    banned ban_ blacklist not_allowed not_permitted not_authori unauthori not_acceptable not_accepted declined disallowed
    no_permission not_have_permission don_t_have_permission prevented intercepted terminated cannot_be_granted not_tolerated
    switched_off gesperrt blockiert verweigert abgelehnt verboten untersagt unterbunden bloqué refusé interdit rejeté bloquead
    denegad rechazad prohibid negad_ negado recusad proibid bloccat negat_ rifiutat respint vietat geblokkeerd geweigerd
    tegengehouden verboden afgewezen zablokowan odrzucon zabronion odmówion заблокир отклон_ отклонен отклонён запрещ отказано
    ограничен заблок відхилен заборон обмежен не_можна engel reddedil yasak kısıtlan kara_liste zablokován odepřen zakázán
    zamítnut odmítnut letilt megtagad blokkol elutasít blocat respins refuzat interzis blockera nekad nekas spärrad avvisad
    blokeret spærret nægtet avvist blokkert nektet sperret estetty estettiin kielletty evätty αποκλε απαγορ απορρίφθηκε ditolak
    diblokir dilarang dibatasi disekat từ_chối bị_chặn bị_cấm अस्वीकृत अवरुद्ध निषेध حظر رفض ممنوع منع_ مسدود غیرمجاز נחסמ נדחת
    חסום אסור ปฏิเสธ บล็อก ระงับ ต้องห้าม ไม่ได้รับอนุญาต 拒否 ブロックされ 禁止 遮断 制限 차단 거부 금지 제한 拦截 攔截 被拒绝 被拒絕 阻断 被封 封禁 受限 屏蔽 blocks_
    blacklisted illegal no_entry keep_out you_can_t you_cannot cannot_show_you can_t_show_you can_t_offer can_t_let not_intended
    declin hinder nicht_gestattet nicht_erlaubt keine_berechtigung nicht_berechtigt zurückgewiesen keinen_zugriff kein_zugriff
    unzulässig nicht_autorisiert eingeschränkt non_autorisé pas_autorisé n_êtes_pas_autorisé restreint n_avez_pas pas_les_droits
    rejetée no_autorizad no_está_autorizad no_tiene_permiso no_tienes_permiso restringid prohíb no_permitid impedid
    não_autorizad não_está_autorizad não_tem_permissão restrit não_pode_acessar non_autorizzat non_hai_i_permessi non_dispon
    limitato_ interdett geen_toegang niet_toegestaan geen_rechten geen_toestemming niet_bevoegd geweiger brak_dostępu
    nie_masz_uprawnień nie_masz_dostępu nieautoryzowan wstrzyman niedozwolon нет_доступа нет_прав недостаточно_прав не_имеете
    ограничили не_разрешен не_авторизован не_обрабатыва немає_доступу немає_прав недостатньо_прав не_маєте обмежили
    неавторизован engellendi engellenmiş yetkiniz_yok izniniz izin_verilm reddedilmiş nemáte_oprávnění nepovolen zakázan odmítl
    blokován tiltott nincs_jogosult letiltott letiltva elutasítot nu_aveți_permisiun restricționat nu_sunteți_autoriz blocată
    åtkomst_nekad inte_behörig saknar_behörighet ej_tillåt stoppad blockerat ikke_adgang ikke_tilgang ingen_adgang ingen_tilgang
    har_ikke_rettig ikke_tillatt ikke_tilladt afvist forbudt stoppet ei_oikeuksia ei_ole_oikeutta kiellet eväsi estänyt
    δεν_έχετε_δικαίωμα δεν_επιτρέπεται αποκλείστηκε περιορίσ tidak_diizinkan tidak_memiliki_izin tidak_diperbolehkan terblokir
    dihalang không_có_quyền không_được_phép đã_chặn bị_hạn_chế अनुमति_नहीं प्रतिबंधित غير_مصرح لا_تملك_صلاحية ليس_لديك_إذن محظور
    تم_حظر مرفوض غير_مسموح اجازه_دسترسی אין_לך_הרשאה אינך_מורשה אין_הרשאה נדחה חסומה ไม่อนุญาต ไม่มีสิทธิ์ ถูกบล็อก ถูกระงับ
    ห้าม 許可されていません 権限がありません できません 拒否され アクセス権 권한이_없 허용되지_않 금지된 没有权限 无权 無權 無法存取 不允许 拒绝 拒絕 已被阻止 has_been_automatically_blocked
    you_were_blocked you_have_been_blocked inappropriate classified_as tried_to_visit tried_to_access attempting_to_access
    unable_to_give not_allowed_to browse_gambling keinen_zugriff_auf privileges_to not_have_sufficient nicht_gewähren kept_out
    shut_out turned_away locked_for is_locked lock_ends not_let won_t_let can_t_let_you won_t_be_able unwelcome violation violat
    barred filtered_ trespass not_supported_in no_longer_allowed not_permit administrative_reasons ban_reason
    your_account_has_been has_been_restricted temporarily_restricted account_is_blocked appeal_ not_accept is_off_limits
    ausgesperrt gesperrter stillgelegt verwehrt exclu banni suspendu baneado vetado suspendid suspens bannat sospes verbannen
    geschorst zbanowan zawieszon забанен приостановлен не_показыва закрыли закрыт_для призупинен закрили yasaklan askıya
    zabanován pozastaven kitilt felfüggeszt banat suspendat avstängd bannlyst udelukket utestengt stanset jäädytetty
    porttikielto αποκλεισμ diblok ditangguhkan bị_khóa bị_cấm_truy प्रतिबंध معلق مقفل تعلیق חסימה มีข้อจำกัด 停止されて 利用停止 制限されて 정지
    이용이_제한 이용_제한 禁用 非法 误判 誤判 拦截时间 恶意参数 不支持您 不允許 pristup_odbijen zabranjen blokiran отказан достъп_забранен забранен uždrausta
    užblokuot bloķēt aizliegt keelatud blokeeritud bloquejat prohibit zablokovan_ zamietnut odmietnut dostop_zavrnjen prepovedan
    caught_our_attention not_have_access don_t_have_access
    our_interruption regain_access lost_access pausiert zugriff_verwehrt accès_suspendu acceso_suspendido accesso_sospeso
    acesso_suspenso toegang_opgeschort dostęp_wstrzyman
    has_been_limited is_limited_by limited_by_the block_technical block_reason technical_data`,

  /** What is refused: the coming of the reader. */
  visit: `
    this_request the_request this_visit your_isp anonymiz tor_ your_request your_access your_ip your_address your_network
    your_connection your_visit your_traffic request requests requested access_ accessing ip_ ip_address traffic client_ip vpn_
    proxy network_ your_computer data_cent user_agent referrer anfrage zugriff aufruf anschluss ip_adresse netzwerk demande
    requête accès adresse_ip réseau petición solicitud acceso tráfico dirección_ip solicitação requisição acesso tráfego seu_ip
    richiesta accesso_ verzoek toegang aanvraag żądanie dostęp zapytan twoje_żąd запрос доступ ip_адрес трафик запит адреси
    istek isteğ erişim talep požadav přístup dotaz kérés hozzáférés cerere acces_ accesul solicit begäran åtkomst anmodning
    adgang forespørsel tilgang pyyntö pyyntösi pääsy αίτημα πρόσβαση permintaan akses yêu_cầu truy_cập अनुरोध पहुँच पहुंच طلبك
    الوصول دسترسی درخواست הבקשה הגישה בקשתך คำขอ การเข้าถึง リクエスト アクセス 요청 접근 접속 请求 請求 访问 訪問 操作 your_browser_sent
    incoming_request http_request request_id remote_address visitor visitors hotlink linking referer anfragen abfragen besucher
    ihre_ip seitenaufrufe zugriffe verbindungen requêtes votre_adresse visiteurs les_accès accéder peticiones solicitudes
    acceder visitante conexiones su_ip requisições solicitações acessar acessos richieste accedere visitatori indirizzo_ip
    connessioni verzoeken bezoek aanvragen ip_adres uw_ip żądania zapytania wejść adres_ip odwiedz запросов обращени_к с_вашего
    посетител адреса запитів з_вашої звернен відвідувач istekler erişmek ip_adresiniz ziyaret požadavků přístupu ip_adresa
    návštěv kérések látogat ip_cím cereri accesa adresa_ip förfrågning besök ip_adress anmodninger forespørsler besøg besøk
    ip_adressen pyyntöjä pääsyä ip_osoite αιτήματα πρόσβασης διεύθυνση_ip mengakses alamat_ip kunjungan truy_cập_của địa_chỉ_ip
    एक्सेस आईपी الطلب طلبات عنوان_ip الدخول آدرس_ip כתובת_ip בקשה เข้าถึง ที่อยู่_ip ไอพี アクセスを アクセスが ipアドレス 接続元 요청이 ip_주소 방문
    ip地址 您的ip 存取 连接请求 your_location page_views connecting_from coming_from_your your_session browsing every_visitor ihr_standort
    besuch_ su_conexión tu_conexión votre_connexion sua_conexão ваш_адрес вашего_адреса ваше_з_єднання bağlantınız
    your_ip_address 您的ip地址 您的位址 来源ip vaš_zahtjev vaš_zahtev заявка вашата_заявка užklaus pieprasījum päring sol_licitud
    požiadavk zahteva_ vašej_ip high_volume`,

  /** What refuses it. */
  guard: `
    security firewall protection protected waf_ mod_security ddos attack threat malicious unsafe harmful abuse policy shield
    sicherheit schutz angriff sécurité pare_feu protéger seguridad cortafuegos protección segurança proteção sicurezza
    protezione beveiliging veiligheid bezpiecz ochron защит безопасн захист безпек güvenlik koruma zabezpeč bezpečn ochran
    biztonság védelm securitate protecți säkerhet skydd sikkerhed sikkerhet beskyt turvallis palomuuri suojau ασφάλεια προστασία
    keamanan keselamatan bảo_mật an_ninh सुरक्षा الحماية أمان أمن_ الأمن امنیت הגנה אבטחה รักษาความปลอดภัย ความปลอดภัย セキュリティ
    不正な 보안 安全 防护 防護 防火墙 威胁 攻击 protects protect_ defence defense antibot anti_bot illegal malware phishing vulnerab injection
    unlawful abgewehrt schädlich bösartig schützen malveillant protège protégé attaque anti_robot pare_feux malicios ataque
    protegid protege antirrobots dannos malevol attacco protett protegg schadelijk kwaadaardig beschermd aanval szkodliw złośliw
    atak zapor вредонос атак брандмауэр межсетев экран_ шкідлив брандмауер zararlı kötü_amaçlı saldırı güvenliğ škodliv útok
    káros támadás tűzfal rău_intenționat atac paravan skadlig angrepp brandvägg skadelig ondsindet ondsinnet angreb brannmur
    haital hyökkäys κακόβουλ επίθεσ τείχος_προστασίας berbahaya serangan độc_hại tấn_công tường_lửa दुर्भावना हमला ضار خبيث هجوم
    جدار_الحماية مخرب حمله זדוני התקפה חומת_אש อันตราย โจมตี ไฟร์วอลล์ 悪意 攻撃 ファイアウォール 保護 악성 공격 방화벽 恶意 惡意 安全策略 黑客 违规`,

  /** Whom to tell. */
  keeper: `
    administrator webmaster site_owner website_owner system_admin help_desk service_desk contact_us contact_the contact_support
    support_team support_id verwaltung betreiber kundendienst administrateur contactez administrador contacte
    póngase_en_contacto escriba entre_em_contato suporte amministratore assistenza beheerder skontaktuj администратор обратитесь
    поддержк адміністратор зверніться yönetici iletişime správc kontaktujte rendszergazd administratorul contactați
    administratör kontakta kontakt_ kontakte ylläpito ylläpitäj διαχειριστή hubungi quản_trị liên_hệ व्यवस्थापक المسؤول مدير_
    مدیر מנהל_האתר ผู้ดูแล ติดต่อ 管理者 お問い合わせ 관리자 문의 管理员 管理員 联系 聯絡 contact_your get_in_touch report_this report_a if_you_believe
    if_you_think this_is_a_mistake in_error owner_of let_us_know mail_us email_us wenden_sie kontaktieren seitenbetreiber
    contacter administrateurs si_vous_pensez póngase contactar si_cree administrador_del contate contato administrador_do
    se_você_acredita contattare contatti contatta se_ritiene contact_op neem_contact websitebeheerder kontakt_z administratorem
    jeśli_uważasz свяжитесь администратору если_вы_считаете владельц зв_яжіться адміністратору якщо_ви_вважаєте власник
    site_yönetici bize_ulaş kontaktujte_správce lépjen_kapcsolat üzemeltető contactează luați_legătura webbplatsens_ägare
    hör_av_dig kontakte_oss kontakt_os ota_yhteyttä επικοινωνήστε hubungi_admin pengelola liên_hệ_với संपर्क اتصل_ب تواصل_مع
    مسؤول تماس_بگیرید צור_קשר צרו_קשר מנהל ติดต่อผู้ดูแล お問い合わせください 連絡 ご連絡 문의하 관리자에게 연락 站长 管理人員 聯繫 客服`,

  /** Under which number. */
  ticket: `
    reference_id reference_number reference_code ref_id incident event_id ray_id request_id support_id support_number error_code
    error_id session_id queue_id trace_id block_id attack_id message_id case_number id_ uuid_ xid_ vorgangsnummer referenznummer
    identifiant référence número_de_incidencia referencia código id_de codice kenmerk identyfikator идентификатор
    номер_обращения номер_запроса код_події olay_numara kod_ identifikátor azonosító codul referensnummer tapahtumatunnus
    tunniste αναγνωριστικό kode_ nomor_dukungan mã_ رقم شناسه מספר_אירוע รหัส サポートid 번호 事件编号 请求id 编号 case_id tracking_id
    transaction_id correlation_id guru_meditation trace_ request_number your_id ticket_ time_stamp timestamp fehlercode
    anfrage_id ereignis numéro_de code_erreur código_de_error número_de_referencia id_de_solicitud código_de_erro
    número_do_protocolo codice_errore numero_di foutcode referentie kod_błędu код_ошибки код_помилки hata_kodu referans
    kód_chyby číslo_ hibakód cod_de_eroare felkod ärendenummer fejlkode feilkode sagsnummer virhekoodi κωδικός kode_kesalahan
    id_permintaan mã_lỗi mã_yêu_cầu رمز_الخطأ معرف کد_خطا קוד_שגיאה รหัสข้อผิดพลาด エラーコード 管理番号 受付番号 오류_코드 요청_id 错误代码 请求标识 錯誤代碼
    traceid`,

  /** Not a person. */
  robot: `
    robot_ robots bot_ bots automated crawler scraper harvester script_ scripts_ bulk_download roboter programm_ automatisiert
    automatisé robô automatycz робот бот_ автоматич ρομπότ πρόγραμμα_αυτόμ روبوت ربات רובוט หุ่นยนต์ บอท ロボット 自動 로봇 자동 机器人 機器人
    自动 spider non_human artificial headless user_agents automatisierte bot_schutz automat_ automatique automatizad robôs
    automatizzat geautomatiseerd geautomatis robotem zautomatyzowan роботом автоматическ боты автоматичн боти otomatik
    automatizovan automatizált automatizat automatiserad automatiseret automatisert automatisoitu robotti robotilta αυτοματοποι
    otomatis tự_động rô_bốt स्वचालित रोबोट آلي الروبوت خودکار אוטומטי בוט อัตโนมัติ 自動化 ボット ロボットでは 자동화 봇_ 自动化 爬虫
    the_same_network like_a_bot bot_or_not fleisch_und_blut fälschlicherweise no_computer not_a_computer spam_bot spam_bots
    bot_or not_a_bot not_a_robot geen_computer kein_computer kein_programm pas_un_ordinateur ordinateur_ no_es_un_ordenador
    no_es_una_máquina não_é_um_computador un_computer komputerem maszyną компьютер комп_ютер bilgisayar počítač számítógép
    calculator_ en_dator ingen_dator tietokone υπολογιστής कंप्यूटर كمبيوتر رایانه מחשב robotas роботи robotom 验证码 驗證碼 認証コード
    captcha
    made_us_think_you you_might_be_a_bot be_a_bot aspiration_automatique extraction_automatique extracción_automática
    estrazione_automatica extração_automática automatisches_auslesen massenabruf`,

  /** A person. */
  human: `
    not_a_bot not_a_robot not_robot no_robot not_an_automated actually_human human person_ real_person are_you_real you_are_real
    mensch menschlich humain humano pessoa persona_ umano człowiek человек людина людин insan_ člověk ember_ människa menneske
    ihminen άνθρωπος manusia con_người मानव इंसान إنسان بشر انسان אנושי มนุษย์ 人間 사람 사용자 真人 人机 humanity real_people
    actual_person living echter_mensch humains être_humain humana ser_humano persona_real pessoa_real essere_umano persona_reale
    mens_ echt_persoon człowiekiem человеком живой людиною gerçek_kişi insansınız člověkem ember_vagy ființă_uman om_real
    mänsklig menneskelig ihmin άνθρωπο orang_sungguhan người_thật मनुष्य שאתה_אדם בן_אדם บุคคลจริง 人であること 本人 사람인지 真实用户 人类 čovjek
    čovek човек žmogus cilvēk inimene človek human_touch human_side human_or_a`,

  /** Show it. */
  verify: `
    making_sure ensure_you_are ensure_you_re ensuring prove_you prove_that tick_ tick_this type_the enter_the_code
    hold_the_button slide_ quick_check one_more_step additional_step verif checking check_your check_if check_that confirm
    prove_ validat captcha challenge_ puzzle slider tick_the checkbox press_and_hold characters proof_of_work solve überprüf
    bestätig prüf zeigen_sie vérif recopi compruebe verific pressione conferm controle verifieer bevestig weryfik sprawdz
    potwierd провер подтверд перевір підтверд doğrula doğrulan ověř opište ellenőriz igazol kontroll verifier bekräfta markera
    bekræft bekreft vahvista tarkist επαλήθευ επιβεβαι verifikasi memeriksa konfirmasi sahkan xác_minh xác_nhận सत्यापित जाँच
    التحقق نتحقق بررسی تأیید אימות לאמת ยืนยัน ตรวจสอบ 認証 確認 入力 확인 인증 입력 验证 驗證 校验 确认 勾选 勾選 滑块 verification_ authenticate_that
    security_check checkpoint inspect_ screening rotate drag sicherheitsprüfung sicherheitsabfrage ankreuz geprüft beweis
    contrôle cochez prouv vérifions glissez casilla comprobando comprobar marque_ demuestr verificando resuelv imagen caixa_
    comprove prove_que imagem casella verifica_ verifichiamo dimostr completa_ vinkje controleren bewijs afbeelding zaznacz
    potwierdz udowodnij obrazk przesuń подтвердите отметьте введите картинк поставьте підтвердьте позначте введіть картин
    işaretle doğrulama kanıtla kutuyu zaškrt ověřujeme dokažte obráz jelölje bizonyítsa képen bifați demonstra imagin kryssa
    bevisa afkryds bevis_ sæt_kryds billed hak_av todista varmist rasti επιβεβαίωση σημειώστε εικόνα centang buktikan gambar
    selesaikan pastikan geser kéo_ trượt thanh_trượt hình_ảnh ghép_hình chứng_minh mã_xác सत्यापन पुष्टि تأكد تأكيد تحقق أثبت
    صورة تایید ודא אמת_ סמן אישור พิสูจน์ ทำเครื่องหมาย เลื่อน จากภาพ 画像 文字を チェックを 証明 検証 パズル 이미지 문자를 체크 증명 퍼즐 검사 检查您 检查浏览器 拖动 滑动
    拼图 完成验证 證明 核验 图片 点击 access_check prove_it additional_verification complete_this recaptcha hcaptcha turnstile puzzle_piece
    activate_and_hold press_hold press_and hold_to_confirm kurzen_test löse_bitte type_the_characters characters_you_see
    select_this_box selecciona_esta ayúdanos_a clic_aquí_para short_test quick_test a_test pick_all choose_all select_all
    images_with all_images all_squares pictures_with press_the_button click_the_button click_to_continue one_click to_show_that
    show_us show_that human_check bot_check this_sum add_up solve_this answer_the numbers_shown code_shown typed_in
    following_challenge click_challenge checkbox_below tick_here press_here wählen_sie_alle alle_bilder rechenaufgabe
    klicken_sie_auf zeigen_dass beweisen sélectionnez_toutes toutes_les_images cliquez_sur résolvez addition_ montrer_que
    seleccione_todas todas_las_imágenes haga_clic resuelva suma_ demuestre selecione_todas todas_as_imagens clique_no resolva
    seleziona_tutte tutte_le_immagini fai_clic risolvi dimostra kies_alle alle_plaatjes plaatjes klik_op los_op laten_zien_dat
    wybierz_wszystkie wszystkie_obrazki kliknij rozwiąż udowodn выберите_все все_картинки нажмите_на решите докажите
    виберіть_усі натисніть розв_яжіть доведіть tüm_resimleri tıklayın çözün kanıtlay vyberte_všechny klikněte vyřešte
    válassza_ki kattintson oldja_meg igazolja selectați_toate faceți_clic rezolvați dovediți välj_alla klicka_på lös_ visa_att
    vælg_alle velg_alle klik_på klikk_på løs_ vis_at valitse_kaikki napsauta ratkaise osoita επιλέξτε_όλες κάντε_κλικ λύστε
    αποδείξ pilih_semua chọn_tất_cả nhấp_vào nhấn_vào giải_ chứng_tỏ सभी_चित्र चुनें اختر_جميع انقر حل_ انتخاب_کنید کلیک_کنید
    حل_کنید ثابت_کنید בחר_את_כל לחצו הוכח เลือกภาพ พิสูจน์ว่า 画像を選択 すべての画像 証明して 이미지를_선택 증명해 选择所有 点击下方 证明您 點擊下方 請點擊 potvrdite
    provjera provera потвърдете проверка patvirtin pārbaud kinnita overte overenie preverjanje this_task verifying_you
    spin_the_slider someone_behind there_is_someone is_someone_there know_that_you know_you_are know_you_re check_the_box
    enter_the_text text_below jemand_davor quelqu_un_derrière alguien_detrás alguém_atrás qualcuno_dietro iemand_achter
    ktoś_po_drugiej кто_то_есть checken even_check 輸入 输入 securityvraag bestätige_kurz kurz_bestätigen säkerställa säkra
    introduzca_los_caracteres introduce_los_caracteres caracteres_que_aparecen código_introducido código_de_la_imagen
    escriba_los saisissez_les recopiez caractères_de_l_image combien_font résoudre_l_opération opération_suivante résoudre
    geben_sie_die_zeichen zeichen_aus_dem_bild wie_viel_ist lösen_sie inserisci_i_caratteri caratteri_che_vedi quanto_fa
    digite_os_caracteres caracteres_da_imagem quanto_é typ_de_tekens overtypen hoeveel_is przepisz_znaki ile_to_jest wpisz_kod_z
    введите_символы символы_с_картинки сколько_будет введіть_символи скільки_буде kaç_eder resimdeki_karakter opište_znaky
    kolik_je tick_the_box below_and_we_ll solve_the what_is_the_sum tap_the select_all_the
    comprobación_de_seguridad desliza_la slide_the schieben_sie glisser_la sleep_de demostrar_que complete_the_puzzle
    completar_el_puzle contrôle_de_sécurité controllo_di_sicurezza verificação_de_segurança veiligheidscontrole
    kontrola_bezpieczeństwa`,

  /** Why it is asked. */
  unusual: `
    for_today allowance views_ too_often so_many throttl excessive rapid burst robotic bot_like cooling cool_down hourly_limit
    daily_limit unusual suspicious abnormal irregular too_many too_fast too_quickly too_much slow_down rate_limit quota used_up
    in_a_short_time limit_ many_searches exceeded automated_access ungewöhnlich auffällig verdächtig zu_viele höchstzahl
    inhabituel suspect trop_de trop_d inusual sospechos demasiad incomum suspeit muit insolit sospett troppe troppi
    ongebruikelijk verdacht te_veel nietypow podejrzan zbyt_wiele подозрительн необычн слишком підозріл незвичн забагато olağan
    şüpheli çok_fazla neobvykl podezřel příliš velké_množství szokatlan gyanús túl_sok neobișnuit periculoas prea_mult ovanlig
    misstänkt för_många usædvanlig uvanlig mistænkelig for_mange epätavalli epäilyttäv liian_monta haitallis ασυνήθιστ ύποπτ
    πολλά_αιτήματα mencurigakan tidak_biasa terlalu_banyak bất_thường quá_nhiều असामान्य बहुत_अधिक غير_عادي غير_معتاد كثيرة חריג
    חשוד יותר_מדי ผิดปกติ มากเกินไป 通常と異なる 不審 多すぎ 비정상 너무_많 异常 異常 频繁 頻繁 可疑 overuse heavy_use many_requests suspicion abuse
    too_quick too_soon ungewöhnliche überschritten zu_schnell viele_anfragen anzahl dépassé trop_rapide activité_suspecte
    anormal excedid excesiv activ_inusual actividad_sospech excedeu excessiv demais_ atividade_suspeit limite_ superato eccessiv
    attività_sospett anomal overschreden limiet te_snel verdachte przekroczon zbyt_szybk zbyt_dużo превышен лимит частые часто_
    перевищен ліміт надто_ aşıldı sınırı aşırı sık_ překročen moc_ túllépte korlát depășit limita_ överskrid gräns för_snabbt
    overskred grænse grense ylitet raja_ liikaa liian υπερβήκατε όριο υπερβολικ melebihi batas_ terlalu_sering vượt_quá giới_hạn
    quá_nhanh सीमा تجاوزت الحد عدد_كبير بیش_از_حد חרגת מגבלה יותר_מדי_בקשות เกิน ถี่เกิน 異常な 上限 短時間 大量の 초과 너무_자주 의심 과도 超出 过快 过多
    過多 短时间 much_faster super_human superhuman speed_ clicking_at misuse muchas_peticiones demasiadas_peticiones uso_indebido
    en_poco_tiempo trop_vite vitesse_surhumaine zu_viele_anfragen 存在异常 异常请求 行为有可能 滥用 短时间内 次数 easy_there quicker_than faster_than
    more_than_we_can too_many_times pause_for take_a_break hammered overload demasiado_rápido demasiado_seguid rápido_demais
    troppo_veloce te_vlug zu_oft trop_souvent te_vaak zbyt_często очень_часто дуже_часто çok_sık příliš_často túl_gyakran
    prea_des för_ofta for_ofte liian_usein πολύ_συχνά terlalu_cepat quá_thường 頻繁に 너무_빨리 太快 very_fast turned_very
    too_many_documents from_here systematic downloading_from systematically bulk_
          
        demasiados_pedidos depressa_demais número_de_pesquisas
    permitido_por_hora power_user hold_up_a demasiado_deprisa
    más_rápido_de_lo nos_ha_hecho_dudar`,

  /** By what it is asked. */
  browser: `
    your_browser browser javascript java_script enable_js turn_on switched_on switch_on enable_ ad_blocker adblock
    connection device reload refresh aktivieren verbindung neu_laden navigateur activer activez connexion recharg navegador
    activar activa_ conexión ativ conexão abilita connessione schakel inschakelen verbinding przegląd włącz połączen браузер
    включите соединен обновите увімкніть з_єднан tarayıc etkinleştir bağlant prohlížeč zapněte připojen böngész engedélyez
    activați webbläsar aktivera aktiver nettleser selain ota_käyttöön περιηγητή ενεργοποι peramban aktifkan penyemak trình_duyệt
    kích_hoạt kết_nối ब्राउज़र المتصفح الاتصال مرورگر הדפדפן เบราว์เซอร์ ブラウザ 有効に 브라우저 浏览器 瀏覽器 启用 outdated_browser
    unsupported_browser supported_browser modern_browser newer_version latest_version your_web_browser requires_javascript
    needs_javascript without_javascript disabled_javascript chrome_ firefox_ safari_ in_the_app open_the_app open_in_app
    veraltet unterstützt aktuellen_browser einschalten obsolète ancien_ version_récente activer_javascript désactivé trop_ancien
    mettre_à_jour desactualizado compatible actualice habilite versión_ desatualizado compatível atualize ative_ obsoleto
    supportato aggiorna abilitare attiva_ verouderd ondersteund inschakel przestarzał obsługiwan wyłączon aktualnej устарел
    поддержив включить отключен застаріл підтрим увімкнути вимкнен güncel_değil desteklen zastaral podporovan zapnout elavult
    támogatott învechit acceptat föråldrad stöds_ webbläsare forældet utdatert understøtt støttes vanhentunut tue_ selaimesi
    υποστηρίζεται περιήγησης didukung usang hỗ_trợ cập_nhật_trình समर्थित يدعم جافا_سكريبت تفعيل متصفحك پشتیبانی جاوااسکریپت
    דפדפן מיושן รองรับ เปิดใช้งาน 対応していません 推奨 お使いのブラウザ バージョン 지원하지_않 자바스크립트 브라우저를 不支持 版本过低 升级浏览器 开启 preglednik браузър naršykl
    pārlūk brauser prehliadač brskalnik core_features recommended_browser up_to_date_browser not_capable internet_explorer
    explorer_ legacy_browser
    better_in_the_app get_the_app open_the_page_in enable_cookies activer_les_cookies cookies_aktivieren habilite_las_cookies
    abilita_i_cookie ative_os_cookies cookies_inschakelen włącz_cookie`,

  /** Others are before you. */
  queue: `
    queue in_line waiting_room waiting_list your_turn place_in_line your_place high_demand many_visitors now_serving
    ahead_of_you estimated_wait people_ahead keep_this_tab do_not_refresh don_t_refresh hold_your_place place_is_reserved
    position_in queued let_people_in let_you_in_as let_you_in virtual_queue heavy_traffic high_traffic busy_right_now very_busy
    warteschlange warteraum warteliste großer_andrang hohe_nachfrage an_der_reihe file_d_attente salle_d_attente forte_affluence
    votre_tour en_la_cola sala_de_espera lista_de_espera tu_turno mucha_demanda fila_virtual fila_de_espera na_fila sua_vez
    sala_d_attesa in_coda tuo_turno wachtrij wachtkamer aan_de_beurt drukte kolejk poczekalni twoja_kolej duże_zainteresowanie
    очеред зал_ожидания черга черзі sıra_ bekleme_odası sıranız fronta frontě čekárn várólista várósor coada_de_așteptare kö_
    köplats väntrum kø_ ventesal venteliste jono jonossa ουρά antrean hàng_đợi phòng_chờ طابور قائمة_الانتظار صف_انتظار בתור คิว
    ห้องรอ 順番 待合室 待ち時間 混雑 混み合って 대기열 대기_순번 대기실 접속_대기 排队 排隊 等候室 前面还有`,

  /** It is said to the reader. */
  reader: `
    you_ your_ you_re you_ve yourself we_ us_ our_ please sie_ ihr_ ihre_ ihren_ ihrer_ ihrem_ dein_ deine_ bitte wir_ uns_
    vous_ votre_ vos_ nous_ veuillez merci_ su_ sus_ usted tu_ te_ por_favor você seu_ sua_ seus_ tuo_ tua_ suo_ per_favore ti_
    uw_ je_ jouw alstublieft wij_ twój twoj_ twoja twoje_ państw prosimy proszę вы_ вас_ ваш вам_ пожалуйста мы_ ви_ будь_ласка
    ми_ lütfen siz_ sizin vás_ váš vaš prosím kérjük ön önt_ dumneavoastr vă_ vi_rog du_ din_ ditt vänligen vi_ dig_ deg_
    vennligst venligst sinun ole_hyvä sinä σας_ εσείς παρακαλ anda silakan mohon kamu bạn vui_lòng आप_ आपक कृपया يرجى من_فضلك
    لطفا شما_ אנא שלך אתם คุณ โปรด กรุณา ください お客様 あなた 귀하 주세요 하세요 주십시오 고객님 您 请 請 你
    log_in_to_reply log_in_or_register_to_reply you_must_log_in_or_register_to_reply you_must_log_in_to_reply register_to_reply
    sign_in_to_reply sign_in_to_comment log_in_to_comment login_to_comment log_in_to_post you_must_be_logged_in_to_post
    you_must_be_logged_in_to_reply you_must_be_logged_in_to_comment melden_sie_sich_an_um_zu_antworten anmelden_um_zu_antworten
    anmelden_um_zu_kommentieren connectez_vous_pour_répondre connectez_vous_pour_commenter inicia_sesión_para_comentar
    inicia_sesión_para_responder faça_login_para_comentar faça_login_para_responder accedi_per_commentare accedi_per_rispondere
    log_in_om_te_reageren zaloguj_się_aby_odpowiedzieć zaloguj_się_aby_komentować войдите_чтобы_ответить
    войдите_чтобы_комментировать авторизуйтесь_чтобы_ответить увійдіть_щоб_відповісти logga_in_för_att_svara
    logga_in_för_att_kommentera`,

  /** Wait. */
  wait: `
    hang_on hang_tight almost_there a_few_seconds stand_by transferring taking_you shortly while_we just_a_moment moment_
    one_moment hold_on please_wait wait_ waiting seconds redirected redirecting automatically loading in_line queue your_turn
    few_minutes later_ tomorrow later_again bitte_warten sekunden später weitergeleitet patient un_instant secondes redirig
    plus_tard minutes espere_ un_momento segundos más_tarde en_la_cola cargando aguarde um_momento mais_tarde carregando attend
    secondi even_geduld ogenblik seconden chwil sekund przekierowan później подожд секунд загрузка позже перенаправ зачекайте
    пізніше bekley bir_dakika saniye okamžik počkejte várjon pillanat așteptați vänta ögonblick en_stund vent_ øjeblik øyeblikk
    odota hetki περιμένετε δευτερόλεπτα αργότερα tunggu detik sebentar đợi chờ giây प्रतीक्षा لحظة انتظر ثوان صبر_کنید המתן רגע
    โปรดรอ กรุณารอ お待ち しばらく 잠시만 기다 稍等 稍候 稍后 秒后 等待 加载 give_us_a queue_position estimated_wait being_redirected einen_augenblick
    warten warteschlange gedulden wird_geladen später_erneut instants patienter file_d_attente quelques_minutes chargement
    momento_ cola_ tiempo_estimado unos_minutos fila_ instante alguns_minutos attesa coda_ attendere qualche_minuto
    moment_geduld wachtrij wachten later_nog poczekaj kolejk proszę_czekać минут_ очеред ожидан немного_подожд хвилин черг
    очікуван birkaç lütfen_bekleyin sırada čekejte chvíl frontě chvilku várakoz perc_ később câteva_minute așteptare kö_ strax_
    väntar sekunder kø_ senere vente jono odottaa sekun myöhemmin αναμονή λίγο_αργότερα στιγμή antrean menunggu sebentar_lagi
    nanti hàng_đợi vui_lòng_chờ trong_giây कुछ_देर बाद_में قليلا لاحقا الانتظار لحظاتی چند_لحظه بعدا דקות בהמתנה מאוחר สักครู่
    รอสักครู่ ภายหลัง 少々お待ち 時間をおいて 後ほど 順番 기다려 나중에 대기 请稍 排队 稍後 几秒 trenutak момент prašome_palaukti uzgaidiet oodake espereu
    počkajte ulterieurement ultérieurement più_tardi попробуйте_зайти`,
} as const
