// The words of what stands before a page, and would open: to members, to those who agree, pay or are old enough. As in walls.ts.

export const wordsOfGates = {
  /** Say who you are. */
  login: `
    your_session session_has session_expired session_ended session_timed signed_out logged_out inactivity log_back sign_back
    profile_of to_continue_to members login_required sign_in_to authoriz authoris one_time_code passcode sso_ employees_only
    staff_only log_in login logged_in sign_in signed_in password username user_name account_ forgot register_ registered sign_up
    create_an_account members_only member_ invitation authenticat credentials anmelden anmeldung einloggen passwort konto
    registrier mitglied benutzername connexion connecter connecté identifiant mot_de_passe inscri compte_ iniciar_sesión
    inicia_sesión contraseña regístr acceder socios entrar entre_para senha cadastr faça_login accedi accesso_ registrati soci_
    area_riservata inloggen log_eerst wachtwoord registreren zaloguj logowan hasło zarejestruj войти войдите вход_ пароль логин
    регистрац авториз увійти вхід реєстрац giriş şifre üye_ kayıt přihl heslo registr bejelentkez jelszó regisztr autentific
    parola cont_ conectați logga_in lösenord log_ind logg_inn adgangskode passord kirjaudu kirjautu salasana käyttäjätunnus
    σύνδεση κωδικό masuk_ kata_sandi daftar_ đăng_nhập mật_khẩu लॉग_इन लॉगिन पासवर्ड تسجيل_الدخول سجل_الدخول كلمة_المرور ورود
    رمز_عبور התחבר סיסמה เข้าสู่ระบบ รหัสผ่าน ログイン 会員 パスワード 로그인 회원 비밀번호 登录 登入 登錄 密码 密碼 注册 註冊 to_view_this you_must_be be_logged
    sign_on enter_your_password remember_me new_user existing_user please_authenticate zugangsdaten kennwort angemeldet
    registrieren nur_für_mitglieder eingeloggt passwort_vergessen geschützter se_connecter connectez mot_de_passe_oublié
    espace_membre réservé_aux identifiez inscrivez utilisateur usuario_y identifícate registrarse regístrate correo_electrónico
    acceso_restringido olvidado usuário conta_ faça_seu área_restrita esqueceu nome_utente registrarsi effettua_l_accesso
    effettua_il password_dimenticata riservat gebruikersnaam aanmelden ingelogd wachtwoord_vergeten leden_ nazwa_użytkownika
    użytkownik musisz_być zalogować hasła tylko_dla имя_пользователя забыли авторизуйтесь зарегистрируйтесь учетн учётн
    личный_кабинет ім_я_користувача забули авторизуйтеся обліков увійдіть kullanıcı oturum_aç üyelik şifremi giriş_yap uživatel
    jméno_ přihlášen zaregistr felhasználó belépés fiók lépjen_be utilizator intră_în_cont parol användarnamn glömt medlem
    brugernavn brukernavn glemt tapahtumatunnus kirjautuminen rekisteröi unohd όνομα_χρήστη συνδεθείτε εγγραφή μέλη pengguna
    masuk_untuk lupa akun_ tài_khoản tên_đăng_nhập quên_mật_khẩu đăng_ký उपयोगकर्ता साइन_इन اسم_المستخدم حساب تسجيل للأعضاء
    نام_کاربری وارد_شوید عضویت שם_משתמש להתחבר הרשמה כניסה ชื่อผู้ใช้ ลงชื่อเข้า สมัครสมาชิก ユーザー名 会員登録 ログインして 新規登録 サインイン 아이디
    로그인이 회원가입 로그인하 请先登录 用户名 帳號 账号 验证码登录 扫码 log_in_to_see log_in_to_view log_in_to_continue log_in_to_read log_in_to_access
    sign_in_to_see sign_in_to_view sign_in_to_continue sign_in_to_read sign_up_to_see sign_up_to_view join_to_see join_to_view
    login_to_continue login_to_view create_an_account_to create_a_free_account request_access need_access you_need_access
    you_must_be_logged you_must_log_in you_need_to_log need_to_be_logged need_to_sign_in must_sign_in must_be_registered
    marked_private currently_private is_private anmelden_um einloggen_um melden_sie_sich_an connectez_vous_pour
    inicia_sesión_para inicie_sesión_para faça_login_para accedi_per log_in_om zaloguj_się_aby войдите_чтобы авторизуйтесь_чтобы
    увійдіть_щоб logga_in_för_att log_ind_for_at logg_inn_for_å login_untuk đăng_nhập_để เข้าสู่ระบบเพื่อ סיסמה_שגויה ログインしてください
    ログインすると 로그인이_필요 로그인_후 请登录 登录后 請先登入 not_logged_in you_are_not_logged private_site logged_in_users
    sufficient_privileges privileges developer_credentials owner_only 需要登入 請登入您的 需要登录 請登入 登入您的帳戶 登入才能 member_login log_into
    log_into_your account_login welcome_back email_address to_get_in authenticate_to 前往登入 prijav пароla lozinka prisijung
    slaptažod pieslēg parole_ sisse_ parool contrasenya prihlás prijavite by_logging_in logging_in visitor_authentication
    requires_authentication your_institution through_your_institution institution_ get_access access_options switch_accounts
    another_account different_account ask_the_person ask_its_owner give_you_access invited anderes_konto autre_compte
    otra_cuenta outra_conta altro_account ander_account inne_konto другой_аккаунт інший_акаунт
    únete_para tienes_una_cuenta no_tienes_cuenta crea_una_cuenta devi_essere_registrat essere_registrat non_hai_un_account
    hai_già_un_account rimani_collegato angemeldet_bleiben musst_registriert noch_kein_konto du_musst_angemeldet
    du_musst_registriert rester_connecté déjà_un_compte pas_encore_de_compte pas_de_compte já_tem_uma_conta ainda_não_tem_conta
    mantenha_me ingelogd_blijven heb_je_al_een nog_geen_account masz_już_konto nie_masz_konta pozostań_zalogow уже_есть_аккаунт
    нет_аккаунта ещё_нет вже_є_акаунт hesabın_var hesabınız_var hesabın_yok beni_hatırla máte_účet nemáte_účet már_van_fiók
    ai_deja_cont har_du_redan_ett saknar_du har_du_allerede har_du_ikke onko_sinulla don_t_have_an_account
    already_have_an_account no_account_yet stay_signed keep_me_signed continue_with_google continue_with_apple
    continue_with_facebook institutional_login access_through_your rejoignez_pour tritt_bei beitreten_um iscriviti_per_vedere
    cadastre_se_para word_lid_om dołącz_aby
    meld_je_aan je_mobiele_nummer mobiele_nummer krijgt_een_sms mobilnummer your_phone_number send_me_a_code send_code
    telefonnummer_ein numéro_de_téléphone número_de_teléfono numero_di_telefono número_de_telefone numer_telefonu номер_телефона
    номер_телефону aún_no_es_cliente ya_es_cliente déjà_client pas_encore_client già_cliente già_registrato noch_kein_kunde
    bereits_kunde redan_kund nog_geen_klant al_klant jesteś_klientem already_a_customer not_a_customer solo_profesionales
    exclusiva_para_profesionales nur_für_gewerbe réservé_aux_professionnels trade_customers trade_account con_su_cuenta
    inloggning_krävs innlogging_kreves login_påkrævet kirjautuminen_vaaditaan you_are_not_logged_in awaiting_activation
    have_an_account anmeldung_erforderlich connexion_requise inicio_de_sesión_requerido accesso_richiesto login_obrigatório
    inloggen_vereist wymagane_logowanie требуется_вход потрібен_вхід giriş_gerekli`,

  /** Agree. */
  consent: `
    gdpr preferences data_processing vendors opt_out your_choices legitimate_interest cookies accept_ accept_all agree_
    reject_all consent partners_ partnern_ personalised personalized privacy personal_data manage_privacy manage_settings
    manage_preferences manage_options manage_cookies terms_of necessary_cookies only_necessary advert ads_ store_and_access
    akzeptieren zustimm einwillig ablehnen werbung tracking datenschutz personenbezogen accepter refuser traceurs partenaires
    confidentialit aceptar rechazar privacidad socios aceitar rejeitar privacidade accetta rifiuta akkoord toestemming
    accepteren akceptuj zgadzam zgod prywatn принять соглас прийняти kabul_et çerez přijmout souhlas soukrom elfogad süti sütik
    elutasít hozzájár adatvéd godkänn samtycke kakor tillad samtykke kun_nødvendige annoncer hyväksy evästei välttämättöm
    αποδοχή 同意 동의 クッキー your_privacy we_value allow_all allow_cookies cookie_policy accept_cookies we_use_cookies i_agree
    i_accept got_it reject_ alle_akzeptieren cookie einverstanden nutzungsbedingungen verarbeiten einstellungen drittanbieter
    werbe tout_accepter tout_refuser paramétr données_personnelles consentir publicité préférences continuer_sans aceptar_todo
    configurar datos_personales publicidad preferencias política_de aceitar_todos dados_pessoais publicidade preferências
    accetta_tutt dati_personali pubblicità preferenze informativa rifiuta_tutt alles_accepteren weigeren persoonsgegevens
    voorkeuren advertenties cookiebeleid instellingen ciastecz plik akceptuję zaakceptuj odrzuć ustawieni przetwarzan polityk
    reklam файлы_cookie принимаю согласен согласие настройк персональн политик рекламн файли_cookie погоджуюсь приймаю згода
    налаштув політик реклам çerezler kabul_ediyor reddet kişisel gizlilik soubory_cookie přijmout_vše odmítnout nastavení
    osobních zásad cookie_k beállítás személyes elfogadás accept_toate refuz setări confidențialitate acceptera avvisa
    inställningar personuppgifter annons accepter_alle afvis avslå godta indstillinger innstillinger personoplysninger annonser
    evästeitä hyväksyn hylkää asetukset yksityisyy mainon αποδέχομαι αποδοχή_όλων απόρριψη ρυθμίσεις απορρήτου terima_semua
    setuju menyetujui tolak privasi chấp_nhận đồng_ý quyền_riêng_tư कुकी स्वीकार सहमत ملفات_تعريف_الارتباط الكوكيز قبول موافق
    الخصوصية کوکی می_پذیرم עוגיות אישור_הכל מסכים פרטיות คุกกี้ ยอมรับ ความเป็นส่วนตัว 同意する プライバシー すべて許可 拒否する 쿠키 동의합니다 모두_동의
    개인정보 接受 同意并 隐私 隱私 kolačić бисквитк piškotk sīkdat slapuk küpsis galetes zgadzasz klikając acconsenti acconsento
    plaatsen_cookies zustimmung przetwarzanie_danych rodo_ our_partners your_consent withdraw_your withdraw_consent purposes
    audience_measure ad_measure personalised_ads similar_technolog geolocation store_information identifiers change_your_mind
    unsere_partner zwecke widerruf personalisierte messung nos_partenaires finalités retirer_votre consentement personnalis
    mesure_d_audience stocker nuestros_socios fines_ consentimiento personaliz tecnologías_similares nossos_parceiros
    finalidades consentimento tecnologias_semelhantes la_tua_privacy i_nostri_partner nostri_partner tecnologie_simili finalità
    consenso negare personalizza onze_partners doeleinden personaliseren nasi_partnerzy partnerzy celach zgodę zgody dostosow
    наши_партнер наші_партнер целях цілях персонализ персоналіз ortaklarımız amaçlar kişiselleştir naši_partneři účely přizpůsob
    partnereink célok személyre partenerii_noștri scopuri consimțământ våra_partner ändamål anpassade vores_partnere
    våre_partnere formål tilpass kumppanimme tarkoituks kohdennet συνεργάτες_μας σκοπούς συγκατάθεσ εξατομικευ mitra_kami
    tujuan_ persetujuan dipersonalisasi đối_tác mục_đích cá_nhân_hóa شركاؤنا لأغراض موافقتك مخصصة شرکای ההסכמה השותפים พันธมิตร
    パートナー 目的 파트너 목적으로 맞춤 合作伙伴 个性化 before_you_continue more_options cookies_and_data audience_engagement measure_audience
    bevor_sie_fortfahren avant_de_continuer antes_de_continuar prima_di_continuare voordat_je zanim_przejdziesz
    прежде_чем_перейти
    utilizziamo_cookie utilizziamo_i_cookie terze_parti finalità_tecniche rifiuto_del_consenso con_il_tuo_consenso tracciament
    ich_stimme_zu ich_stimme_nicht stimme_der zustimmung_jederzeit widerrufen derden_plaatsen keuze_maken keuze_te_maken
    toestemming_altijd akkoord_en_doorgaan instellingen_aanpassen tiers_déposent vos_choix faire_un_choix
    retirer_votre_consentement continuer_sans_accepter tout_accepter_et terceros_utilizamos rechazar_todo continuar_sin_aceptar
    elegir_ terceiros_usamos recusar_tudo aceitar_tudo accetta_tutto rifiuta_tutto continua_senza_accettare alle_ablehnen
    alles_weigeren zaakceptuj_wszystk odrzuć_wszystk partnerów_wykorzystuj принять_все отклонить_все tümünü_kabul tümünü_reddet
    odmítnout_vše összes_elfogad acceptați_toate godkänn_alla avvisa_alla afvis_alle godta_alle hyväksy_kaikki
    ich_habe_den_hinweis hinweis_gelesen gelesen_und i_have_read_and i_confirm_that acknowledge_that by_clicking_accept
    by_entering
    uppdaterat_våra uppdaterade_villkor användarvillkor villkoren läst_och accetto_i_termini ho_letto_e letto_e_compreso
    he_leído_y j_ai_lu_et li_e_aceito ik_heb_gelezen przeczytałem прочитал_и accept_the_terms updated_our_terms updated_terms
    agree_to_the_terms nutzungsbedingungen_akzeptier neuen_nutzungsbedingungen nouvelles_conditions nuevas_condiciones
    nuove_condizioni novos_termos
    i_do_not_agree accept_the_terms_above read_before_proceeding please_read_before before_proceeding`,

  /** Pay. */
  pay: `
    full_access become_a_member membership unlimited_access rest_of_this remaining_article subscribers_only for_subscribers
    subscribe subscriber subscription subscribing keep_reading continue_reading read_on unlock paying paid_ supporter
    free_article free_stor see_plans per_month a_month already_a abo_ abonn weiterlesen jetzt_testen mit_plus pur_ s_abonner
    suscript suscríb al_mes assin_ assinant assine abbonat abbonament abonnee abonnement prenumer wykup subskryb подпис
    передплат abone předplat előfiz prenumerant läs_vidare abonnent kjøp tilaaja tilaa_ 有料 続きを 残り 구독 订阅 訂閱 会员 付费 exclusive_to
    exclusively_for upgrade_to start_your_free already_subscrib read_the_full full_story full_article to_read_more read_more_by
    abonnieren exklusiv probemonat bezahl testmonat zum_weiterlesen abonnez abonnés réservé_aux_abonnés lire_la_suite pour_lire
    il_vous_reste suscriptor suscripción exclusivo_para seguir_leyendo para_leer leer_más assinantes assinatura continue_lendo
    para_ler abbonati abbonamento continua_a_leggere riservato_agli per_leggere abonnees abonneer verder_lezen lees_verder
    alleen_voor_abonnees prenumerator dostęp_do_treści czytaj_dalej subskryp wykup_dostęp подписчик подписк оформите
    чтобы_прочитать читать_далее передплатник підписк щоб_прочитати abonelik aboneler devamını_oku premium_üye předplatné
    předplatitel číst_dál odemk előfizetés előfizető tovább_olvas abonați abonament continuă_să prenumerera prenumeration
    läsa_hela för_att_läsa låst abonnér abonner læs_videre les_mer les_videre køb_ tilaajat tilaus lue_lisää jatka_lukemista
    συνδρομητ συνδρομή berlangganan pelanggan đăng_ký_gói hội_viên đọc_tiếp सदस्यता المشتركين اشترك اشتراك مشترکین اشتراک
    למנויים מנוי สมาชิกเท่านั้น สมัครสมาชิก 有料会員 会員限定 続きを読む 購読 유료 구독자 전용 付費 订阅后 解锁 會員 pretplat абонамент naročnin prenumerat
    abonement tellimus subscripci predplatn become_a_ abo_testen digital_abo kein_abo paid_subscrib support_us from_1
    a_month_to every_long already_with_us already_a_member free_month your_support передплатити оформити_передплату
    soutenez_nous apóyanos apoie_nos sostienici steun_ons wesprzyj поддержите
    for_paid_subscribers paid_subscribers paid_subscriber instant_access purchase_instant purchase_access online_access
    hour_online_access get_access_to_the_full rent_this buy_access zugang_kaufen artikel_kaufen acheter_l_article
    découvrir_les_offres profiter_de_l_offre prueba_gratis elige_tu_plan scegli_l_abbonamento acquista_l_articolo
    escolha_o_seu_plano koop_dit_artikel wybierz_prenumerat wykupieni po_wykupieniu kup_dostęp pierwszy_miesiąc оформите_подписк
    выберите_подписк оформіть_передплат aboneliğini_seç
    bli_prenumerant köp_nu första_månaden redan_prenumerant nu_bare første_måned ensimmäinen_kuukausi
    register_for_free_to_read register_and_read anonymous_article registered_users_get buy_article access_this_article
    sigue_leyendo ya_soy_suscriptor primer_mes suscríbete subscribe_to_journal`,

  /** The rest is not shown. */
  locked: `
    keep_reading continue_reading read_on read_the_full to_read_more read_the_rest rest_of_this full_story remaining_article
     subscribers_only for_subscribers members_only for_members only_for_sub only_for_paying for_paying
    paying_subscribers exclusive_to exclusively_for available_to_subscribers available_only free_article free_stor last_free
    article_limit reached_your_limit weiterlesen zum_weiterlesen exklusiv_für nur_für_abonnent für_abonnent nur_mit_abo
    vollständigen_artikel ganzen_artikel lire_la_suite pour_lire réservé_aux_abonnés réservée_aux_abonnés pour_les_abonnés
    il_vous_reste seguir_leyendo para_leer solo_para_suscriptores exclusivo_para contenido_exclusivo para_suscriptores
    continue_lendo para_ler só_para_assinantes exclusivo_para_assinantes para_assinantes continua_a_leggere per_leggere
    riservato_agli solo_per_abbonati per_gli_abbonati verder_lezen lees_verder alleen_voor_abonnees voor_abonnees czytaj_dalej
    dla_prenumerator przeczytasz tylko_dla_subskryb tylko_z_prenumerat только_для_подписчик чтобы_прочитать по_подписке
    продолжить_чтение лише_для_передплат щоб_прочитати devamını_oku abonelere_özel pro_předplatitele číst_dál odemknout
    előfizetőknek tovább_olvas doar_pentru_abonați continuă_să_cite för_prenumeranter läs_vidare läsa_vidare läsa_hela
    for_abonnenter læs_videre les_videre lese_hele læse_hele lese_videre tilaajille lue_lisää jatka_lukemista για_συνδρομητές
    untuk_pelanggan lanjutkan_membaca dành_cho_hội_viên đọc_tiếp للمشتركين_فقط למנויים_בלבד 続きを 会員限定 残り 有料会員 구독자_전용 계속_읽 继续阅读
    閱讀全文 阅读全文 后可查看 log_in_to_see log_in_to_view log_in_to_continue log_in_to_read log_in_to_use log_in_to_access sign_in_to_see
    sign_in_to_view sign_in_to_continue sign_in_to_read sign_up_to_see sign_up_to_view sign_up_to_continue join_to_see
    join_to_view login_to_continue login_to_view subscribe_to_read subscribe_to_continue subscribe_to_unlock subscribe_to_keep
    continue_reading_your register_to_read register_to_continue available_to_members you_need_access you_must_be_logged
    you_must_log_in you_need_to_log need_to_be_logged need_to_sign_in must_sign_in must_be_registered anmelden_um einloggen_um
    melden_sie_sich_an connectez_vous_pour inicia_sesión_para inicie_sesión_para faça_login_para entre_para accedi_per log_in_om
    zaloguj_się_aby zaloguj_się_żeby войдите_чтобы авторизуйтесь_чтобы увійдіть_щоб devam_etmek_için_giriş görmek_için_giriş
    přihlaste_se_pro jelentkezz_be_a conectați_vă_pentru logga_in_för_att log_ind_for_at logg_inn_for_å
    kirjaudu_sisään_nähdäksesi συνδεθείτε_για masuk_untuk login_untuk đăng_nhập_để เข้าสู่ระบบเพื่อ लॉग_इन_करें سجل_الدخول_ل
    برای_مشاهده_وارد התחבר_כדי התחברו_כדי ログインしてください ログインすると 로그인이_필요 로그인_후 로그인하시면 请登录 请先登录 登录后 請先登入 需要登入才能 登入才能
    only_to_subscribers only_to_members available_only_to authenticate_to to_get_in need_to_authenticate 需要登录才能 登录才能
    may_be_private you_may_be_able full_text to_view_full to_keep_reading view_full buy_this_article access_via_your
    this_is_a_preview preview_of_subscription to_members_only per_continuare_a_leggere to_view_it unlock_this_post
    invited_subscribers log_in_with_a different_account want_to_finish finish_this to_finish_reading повний_текст полный_текст
    volltext texte_intégral texto_completo texto_íntegro testo_completo volledige_artikel pełny_tekst pełną_treść tamamını_oku
    celý_článek teljes_cikk textul_integral hela_artikeln hele_artiklen hele_artikkelen koko_artikkeli ολόκληρο_το
    baca_selengkapnya toàn_bài全文
    this_post_is_for post_is_for_paid is_for_paid dalsza_część wykupieniu_dostępu by_czytać_dalej aby_czytać czytać_dalej
    get_access_to view_access full_version_of_this no_abstract_is der_rest_dieses um_weiterzulesen la_suite_est
    pour_lire_la_suite resto_del_artículo para_seguir_leyendo il_resto_dell per_continuare_la_lettura o_resto_deste
    para_continuar_a_ler de_rest_van om_verder_te_lezen продолжение_доступно читать_дальше продовження_доступн yazının_devamı
    lås_upp lås_opp lås_op avaa_artikkeli unlock_the_article odblokuj_artykuł artikel_freischalten débloquer_l_article
    desbloquea_el_artículo sblocca_l_articolo desbloquear_artigo ontgrendel_dit
    register_for_free_to_read access_this_article contenido_exclusivo_para sigue_leyendo_por för_att_läsa_andra`,

  /** How old, and where from. */
  gate: `
    minors under_18 adult_content explicit of_age not_for_children age_gate outside_the geo_restrict gdpr in_your_location
    18_years 18_or age_of_18 aged_18 18_jahre 18_anni 18_lat 18_ans 18_años 18_anos 18_år 21_years 21_or years_old over_18
    legal_age drinking_age adults_only date_of_birth age_verif your_age are_you_over old_enough your_country your_region
    your_territory your_area your_jurisdiction territory jurisdiction where_you_are european_economic legal_reasons licensing
    country_ your_location jahre_alt volljährig in_deinem_land in_ihrem_land majeur votre_pays votre_région mayor_de_edad
    tu_país su_país maior_de seu_país maggiorenne compiuto tuo_paese jouw_land uw_land ukończone pełnolet регион стран регіон
    країн starším 18_let ülkeniz bölgeniz あなたの国 お住まい 地区 地區 your_date_of_birth verify_your_age legal_drinking 18_to_enter 18_plus
    only_adults isn_t_available_in not_available_in restricted_in blocked_in residents mindestens_18 über_18 unter_18 alter_
    altersprüfung geburtsdatum ihrer_region deiner_region deinem_land ihrem_land jugendschutz majorité plus_de_18 âge
    date_de_naissance dans_votre mayores_de edad_ fecha_de_nacimiento en_tu_país en_su_país en_su_región maiores_de idade
    data_de_nascimento no_seu_país na_sua_região maggiore_età data_di_nascita nel_tuo_paese età_ 18_jaar leeftijd ouder_dan
    geboortedatum in_jouw_land in_uw_land regio pełnoletni wiek_ data_urodzenia w_twoim_kraju 18_лет мне_есть_18 возраст
    совершеннолет дата_рождения вашей_стране вашего_региона в_вашем_регионе 18_років вік_ повноліт вашій_країні вашого_регіону
    18_yaş yaşında doğum_tarih ülkenizde bölgenizde plnolet věk_ datum_narození vaší_zemi 18_éves elmúlt nagykorú születési
    országában 18_ani vârst data_nașterii țara_dumneavoastră åldersgräns ålder födelsedatum ditt_land alder fødselsdato dit_land
    18_vuot täysi_ikäi ikä_ maassasi 18_ετών ηλικία χώρα_σας 18_tahun usia umur tanggal_lahir di_negara di_wilayah 18_tuổi
    độ_tuổi quốc_gia_của khu_vực 18_वर्ष आयु आपके_देश आपके_क्षेत्र 18_عام السن عمرك بلدك منطقتك کشور_شما מעל_גיל גיל_ במדינה_שלך
    באזור อายุ ประเทศของคุณ 18歳 年齢 成人 お住まいの国 地域 만_19세 성인 연령 생년월일 국가 지역에서 年满 年滿 18岁 18歲 成年 您所在 only_works_in only_available_in
    within_the_united only_be_watched rights_issues european_countries european_union eea_ your_country_of residence
    outside_of_the outside_the_us uk_only us_only vpn_or under_age of_legal enjoy_responsibly where_you_live broadcast_rights
    nicht_in_ihrem nicht_in_deinem dans_votre_pays geblokkeerd_in i_ditt_land i_dit_land or_above years_or_older years_of_age
    and_over boissons_alcoolisées bebidas_alcohólicas bebidas_alcoólicas alcoholic_beverages alcoolici alkoholische your_birth
    birth_date enter_your_birth ta_date_de_naissance quốc_gia_của_bạn khu_vực_của_bạn вашей_страны из_вашей_страны you_are_in_a
    located_in rights_reasons for_rights licensing_reasons licence_reasons not_licensed not_licensed_where only_be_seen
    only_be_viewed from_your_location aus_rechtlichen lizenzgründen lizenzrechtlich rechtegründen nur_in_deutschland
    motifs_de_droits raisons_de_droits pour_des_raisons_légales motivos_de_derechos solo_puede_verse solo_disponible_en
    motivos_de_direitos só_pode_ser_visto motivi_di_diritti visibile_solo rechten_alleen om_rechten powodów_licencyjnych
    względu_na_licencj правообладател по_лицензионным авторских_прав правовласник lisans_nedeniyle telif_hak licenčních_důvod
    licencprogram jogi_okok drepturi_de_difuzare rättighetsskäl av_rättighets rettighedsmæssige rettigheter oikeuksien_vuoksi
    δικαιωμάτων hak_siar vì_lý_do_bản_quyền لأسباب_تتعلق_بالحقوق זכויות_שידור ลิขสิทธิ์ 権利の都合 저작권 版权原因 版權
    over_18_let i_m_over i_m_under are_you_over_18 adult_smokers adult_only must_be_18 at_least_18 at_least_21 l_âge_légal
    âge_légal consommer_de_l_alcool l_abus_d_alcool edad_legal età_legale idade_legal wettelijke_leeftijd legalny_wiek
    vereinigten_staaten wohnsitz_oder mit_wohnsitz gewöhnlichem_aufenthalt richten_sich_nicht us_bürger us_person u_s_persons
    not_directed_at not_intended_for_residents ne_s_adressent_pas no_se_dirige non_sono_destinat não_se_destin niet_bestemd
    accredited_investor professional_investor institutional_investor qualified_investor choose_your_country select_your_country
    wählen_sie_ihr_land choisissez_votre_pays elija_su_país scegli_il_tuo_paese kies_je_land wybierz_kraj
    investitori_professionali profilo_investitor selezioni_il_suo inversores_profesionales investisseurs_professionnels
    professionelle_anleger professionele_beleggers normativa_applicabile no_constituye_oferta keine_aufforderung
    j_ai_plus_de_18 vous_devez_avoir_l_âge professional_investors_only not_be_distributed_in may_not_be_distributed
    directed_at_professional ik_ben_18 ich_bin_über_18 tengo_más_de_18 soy_mayor_de ho_più_di_18 tenho_mais_de_18
    mam_ukończone_18`,
} as const
