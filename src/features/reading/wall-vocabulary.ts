// The words that walls, errors and gates are made of, by what they mean. A stem is the beginning of a word, `_` stands for a
// space or for the end of a word. Written by hand for some thirty languages; a language is added by adding its words.

export const vocabulary = {
  /** What was asked for. */
  page: `
    page website web_site site_ link url address content article listing item_ product_ post_ topic thread document_ resource
    this_video profile vacancy advert    directory
    seite webseite website internetseite adresse inhalt artikel angebot anzeige produkt link dokument
    page site lien contenu article adresse produit annonce
    página sitio  enlace contenido artículo anuncio producto dirección
    conteúdo artigo produto anúncio endereço link site_
    pagina sito contenuto articolo prodotto annuncio collegamento indirizzo
    pagina website inhoud artikel advertentie link adres onderwerp
    strona stronę strony stronie ofert ogłoszen adres artykuł treś produkt
    страниц сайт ссылк адрес контент материал объявлен товар ресурс тем_ темы тему
    сторінк сайт посилан адрес матеріал товар вміст
    sayfa site içerik ürün ilan_ ilanı adres bağlantı
    stránk inzerát nabídk obsah adres odkaz 
    oldal tartalom cím hirdetés termék
    pagin anunț conținut produs adres link
    sidan sida webbplats innehåll artikel länk annons
    siden  nettsted hjemmeside webside indhold innhold artikkel lenken link
    sivu sivusto sisältö linkki tuote artikkeli
    σελίδα ιστότοπ άρθρο περιεχόμενο σύνδεσμο προϊόν ιστοσελίδα
    halaman laman konten situs tautan produk alamat artikel
    trang liên_kết nội_dung sản_phẩm website đường_dẫn
    पेज पृष्ठ वेबसाइट साइट सामग्री लिंक
    صفحة موقع محتوى رابط المقال صفحه سایت محتوا نشانی مطلب
    עמוד דף_ הדף אתר תוכן קישור
    หน้า ลิงก์ เว็บ เนื้อหา สินค้า
    ページ サイト コンテンツ 記事 商品 お探し
    페이지 사이트 게시물 콘텐츠 상품 주소
    页面 网页 網頁 頁面 网站 網站 内容 內容 商品 链接 連結 文章 网址 網址
    requested_page the_page this_page this_site this_website this_service service_ internetauftritt homepage auftritt dienst shop_ profil beitrag thema angeforderte gesuchte aufgerufene service rubrique demandée recherché contenus servicio publicación solicitada buscas enlace_ tienda serviço publicação solicitada loja servizio richiesta_ cercata negozio dienst pagina_ gevraagde webwinkel usług witryn strone serwis artykułu сервис раздел публикац запрашиваем магазин портал сервіс запитан запитув портал магазин hizmet bağlantıya aradığınız služb e_shop požadovan szolgáltat webáruház keresett kért_oldal serviciu pagini site_ul tjänst begärda webbsida tjeneste nettsiden hjemmesiden forespurte ønskede palvelu verkkosivu pyydet υπηρεσία σύνδεσμος κατάστημα άρθρου layanan toko diminta laman_ini dịch_vụ cửa_hàng bài_viết सेवा خدمة الخدمة المنتج منتج فروشگاه لینک שירות מוצר הפריט บริการ ร้าน เพจ お店 ショップ サービス URL リンク 서비스 게시글 링크 사이트가 홈페이지 스토어 服务 服務 店铺 网店 资源 文件 帖子 视频 頁`,

  /** It is not there. */
  missing: `
    expired has_expired taken_off sold_or no_more
    dead_end wrong_turn vanished misplaced wandered doesn_t_live doesn_t_seem_to_exist seems_to_have dead_link out_of_date bookmark typo misspel spelling no_page isn_t_here couldn_t_locate cannot_locate can_t_locate unable_to_locate nowhere no_content has_ended is_over discontinued has_been_sold already_sold expired_ nonexistent
    not_found can_t_be_found can_t_find cannot_find cannot_be_found couldn_t_find could_not_find could_not_be_found couldn_t_be_found
    unable_to_find nothing_here nothing_was_found nothing_found no_results no_matches doesn_t_exist does_not_exist not_exist no_longer
    isn_t_available is_not_available not_available unavailable anymore any_more been_removed was_removed been_deleted was_deleted
    withdrawn taken_down has_moved been_moved was_moved moved_ expired broken_ has_closed been_closed is_closed gone_ lost_ mistyped
    no_such 404_ 410_ not_here there_s_nothing there_is_nothing missing_
    nicht_gefunden nicht_finden nicht_verfügbar nicht_mehr nicht_vorhanden existiert_nicht existiert_leider ins_leere gelöscht
    verschoben entfernt abgelaufen keine_ergebnisse keine_treffer nicht_existier
    introuvable n_existe pas_été_trouvé pas_trouvé n_est_plus pas_disponible plus_disponible supprimé déplacé expiré aucun_résultat
    no_encontr no_se_encontr no_se_ha_encontr no_se_pudo_encontrar no_hemos_encontr no_existe ya_no_ no_está_disponible no_disponible eliminad caducad
    se_ha_perdido roto_
    não_encontr não_foi_encontr não_existe não_está_mais não_está_disponível indisponível removid excluíd apagad saiu_de_linha
    non_trovat non_è_stat non_esiste non_è_più non_disponibile rimoss spostat eliminata_ eliminato_
    niet_gevonden niet_vinden bestaat_niet niet_meer niet_beschikbaar verwijderd verplaatst
    nie_znal nie_istnieje nie_została_znaleziona nie_mamy wygas usunię przeniesion niedostępn
    не_найден не_нашл не_существует не_удалось_найти нет_такой такой_страницы удален удалён перемещ больше_не недоступ
    не_знайд не_існує немає видален видалил переміщ більше_не недоступн
    bulunamadı bulunmuyor mevcut_değil kaldırıl silin taşınmış artık_ yayında_değil
    nenalezen nebyl_nalez nebyla_nalez neexist smazán odstraněn přesunut není_dostupn již_není nedostupn nenašl
    nem_talál nem_létez törölt áthelyez nem_elérhető
    nu_a_fost_găsit nu_există nu_mai_ ștears indisponibil
    hittades_inte kunde_inte_hitta hittar_inte finns_inte borttag flyttat inte_längre
    ikke_fundet ikke_funnet findes_ikke finnes_ikke finner_ikke kan_ikke_find fant_ikke eksisterer_ikke slettet fjernet flyttet
    ikke_noget utdatert ikke_lenger ikke_længere
    ei_löyt ei_löydy ei_ole_olemassa ei_ole_enää poistettu siirretty
    δεν_βρέθηκε δεν_βρήκαμε δεν_υπάρχει διαγραφ μεταφερθ μη_διαθέσιμ δεν_είναι_διαθέσιμ
    tidak_ditemukan tidak_dapat_ditemukan tidak_ada tidak_tersedia dihapus dipindah tidak_dijumpai nggak_ada
    không_tìm_thấy không_tồn_tại không_còn bị_xóa bị_xoá bị_gỡ không_có_sẵn
    नहीं_मिल उपलब्ध_नहीं मौजूद_नहीं हटा_
    غير_موجود لم_نعثر لم_يتم_العثور العثور_على تم_حذف حذف_ غير_متوفر غير_متاح یافت_نشد پیدا_نشد وجود_ندارد حذف_شده در_دسترس_نیست
    לא_נמצא לא_קיים אינו_קיים לא_מצאנו הוסר נמחק אינו_זמין
    ไม่พบ ถูกลบ ไม่มีอยู่ หมดอายุ ถูกย้าย
    見つかりません 存在しません 存在しない 削除され 移動した 見つかりませんでした
    찾을_수_없 존재하지_않 삭제 사라졌
    不存在 找不到 未找到 没有找到 已删除 被删除 已刪除 已下架 已失效 丢失 已过期
    no_longer_available sold_out_of no_longer_exist not_there isn_t_there isn_t_around not_available_any been_archived been_discontinued was_withdrawn pulled_ nicht_auffind existiert_nicht_mehr fehlt_ unauffindbar nicht_da veraltet falsch_eingegeben vertippt wurde_beendet bereits_verkauft vergriffen keine_seite gibt_es_nicht nicht_online n_avons_pas_trouvé a_été_retiré a_changé n_a_pas_pu_être_trouvé inexistant inconnu erronée périmé plus_en_ligne perdu_ aucune_page no_hemos_podido_encontrar no_hay_resultados no_pudimos_encontrar inexistente retirad ha_desaparecido trasladado ha_caducado desaparec borrad não_conseguimos_encontrar não_há inexistente não_localiz não_pôde_ser_encontr desapareceu esgotad foi_retirad não_foi_possível_encontrar movida_ non_riusciamo_a_trovare non_abbiamo_trovato inesistente non_raggiungibile nessun_risultato errato_ non_c_è kan_niet_worden_gevonden kunnen_niet_vinden konden_niet_vinden onbekend bestaat_helaas_niet verkocht_ is_weg nie_możemy_znaleźć nie_udało_się_znaleźć nie_odnalez nieaktualn nie_ma_takiej brak_ nieistniej не_можем_найти не_смог_найти не_смогли_найти отсутству снято_с неверн ошиблись удалил ничего_не_найдено нет_в_наличии не_обнаруж не_можемо_знайти не_зміг_знайти не_змогли_знайти відсутн нічого_не_знайдено невірн помилилися вилучен bulamadık bulunamad bulunama erişilemiyor silinmiş kaldırılmış yanlış_ sonuç_bulun mevcut_değ yok_ nelze_najít nepodařilo_se_najít nemůžeme_najít neplatn zrušen ukončen nič_sa zaniknut neplatí nem_találjuk nem_talált megszűnt nincs_ilyen elgépel érvénytelen eltávolít nu_am_găsit nu_putem_găsi nu_a_putut_fi_găsit inexistent_ ștearsă mutată nu_este_disponibil kan_inte_hitta kunde_inte_hittas har_tagits_bort existerar_inte är_borta utgått hittade_inte kunne_ikke_findes kunne_ikke_finne vi_kan_ikke_finde kunde_ikke er_flyttet er_blevet_slettet er_fjernet udløbet utløpt er_borte kan_ikke_finnes emme_löytän ei_voitu_löytää ei_ole_saatavilla ei_enää on_poistunut δεν_μπορούμε_να_βρούμε δεν_μπορέσαμε_να δεν_ήταν_δυνατή καταργήθηκε έχει_αφαιρεθεί έληξε tidak_bisa_ditemukan tidak_dapat_menemukan telah_dihapus sudah_dihapus telah_dipindahkan kedaluwarsa kadaluarsa tidak_wujud salah_jalan không_thể_tìm_thấy đã_hết_hạn đã_gỡ ngừng_kinh_doanh không_có_trang không_hợp_lệ नहीं_मिला नहीं_मिली ढूँढ_नहीं हटाया لا_توجد غير_موجودة لم_يعد لا_يوجد تعذر_العثور عذرا_لم غير_متوفرة غير_صحيح حذفه نقلها حذفها پیدا_نمی حذف_گردیده منقضی לא_נמצאה לא_הצלחנו_למצוא לא_קיימת אינה_קיימת שגוי הוסרה כבר_לא ไม่มีหน้านี้ ไม่สามารถค้นหา ไม่สามารถพบ ไม่มีแล้ว ลบแล้ว หาไม่เจอ 見つけることができません 終了しました 終了いたしました 掲載終了 ありません 消えて 移動または削除 無効です 찾지_못 없습니다 삭제되었 판매_종료 종료되었 잘못된 이동되었 沒有找到 未能找到 走丢 去火星 已被移除 已经删除 已關閉 已下线 迷路 沒有 失效`,

  /** Where to go instead. */
  elsewhere: `
    the_menu sitemap site_map return_home homepage_ home_ navigate browse_ check_the_url check_the_address check_the_spelling search_bar search_box explore
    homepage home_page start_page main_page front_page go_back go_home back_to take_me_home back_home return_to search_ try_again
    startseite zurück_zur suche_ erneut versuchen
    accueil retour rechercher réessay
    inicio volver portada buscar inténtelo_de_nuevo inténtalo_de_nuevo intenta_de_nuevo
    página_inicial voltar tente_novamente
    torna_alla torna_all riprova
    terug_naar startpagina probeer_het opnieuw
    strona_główna stronę_główną wróć spróbuj
    на_главную главную_страницу вернуться повтор попробуйте
    на_головну головну поверн спробуйте
    ana_sayfa anasayfa dönün geri_dön tekrar
    domů úvodní zpět zkuste
    főoldal vissza próbálja
    prima_pagină acasă înapoi încerc
    startsidan tillbaka försök
    forsiden tilbage tilbake til_forsiden prøv
    etusivu takaisin yritä
    αρχική επιστροφή δοκιμάστε
    beranda kembali_ke coba_lagi sila_cuba
    trang_chủ quay_lại quay_về thử_lại
    होमपेज मुखपृष्ठ वापस
    الرئيسية العودة حاول_مرة بازگشت به_خانه دوباره
    דף_הבית חזרה נסו_שוב
    หน้าแรก กลับ ลองใหม่ ลองอีกครั้ง
    トップへ トップページ 戻る もう一度 再度
    홈으로 메인으로 돌아가 다시_시도 다시_확인
    返回 首页 首頁 重试 重試 重新 再试
    go_to_the take_you_back previous_page contact_page our_home search_our start_again start_over popular_pages zurück startseite_ suchen_sie zur_suche neu_suchen page_d_accueil revenir recherche retournez página_principal regresar intente_de_nuevo vuelve vuelva regresa página_principal voltar_ retorne pesquis pagina_iniziale tornare torna_ ricerca_ ga_terug homepagina zoeken naar_de_home probeer powrót strony_głównej przejdź wyszukiwar skorzystaj перейти вернитесь главной поиск_ воспользуйтесь начал повернутися поверніться пошук_ перейти скористайтеся ana_sayfaya geri_ deneyin arama_yap zpět_na hlavní_stránk přejít vyhledáv vraťte főoldalra kezdőlap keresés térjen ugrás pagina_principală înapoi_la mergi căuta gå_tillbaka till_startsidan sök_ försök_igen gå_til gå_tilbage gå_tilbake startside søg_ søk_ prøv_igjen prøv_igen etusivulle palaa hae_ kokeile αρχική_σελίδα επιστρέψτε αναζήτηση δοκίμασε halaman_utama silakan_coba kembali cari_ laman_utama trở_về về_trang tìm_kiếm thử_lại_sau मुख्य_पृष्ठ पुनः_प्रयास होम_पेज الصفحة_الرئيسية للرئيسية عد_إلى ارجع ابحث صفحه_اصلی برگشت לעמוד_הבית לחזור חזרה_ל נסה_שוב לחפש กลับไป หน้าหลัก กลับสู่ ค้นหา トップページへ ホームへ お戻り 検索 やり直 お試し 홈페이지로 메인_페이지 검색 돌아가기 처음으로 回到首页 返回首页 前往主页 重新搜索 回首頁 上一页 主页`,

  /** It went wrong. */
  failure: `
    hiccup unexpected crash can_t_reach couldn_t_load could_not_load failed_to_load unable_to_load unable_to_connect can_t_connect could_not_connect something_broke on_our_end our_side our_engineers being_fixed looking_into
    error went_wrong gone_wrong problem_ exception failed failure 500_ 502_ 503_ 504_ internal_server server_error bad_gateway timeout timed_out
    service_unavailable fatal stack_trace database upstream backend could_not_be_processed unable_to_process not_working crashed glitch
    fehler störung schiefgelaufen schiefgegangen technisch
    erreur problème échec indisponible
    error_ errores problema fallo no_podemos_atender
    erro_ erros falha problema
    errore problema
    fout_ fouten misgegaan storing
    błąd błędu awari
    ошибк сбой проблем
    помилк збій
    hata_ hatası sorun
    chyb
    hiba_ hibá
    eroare eroarea
    fel_ felet problem
    fejl feil_ gikk_galt gik_galt
    virhe
    σφάλμα πρόβλημα
    kesalahan gangguan ralat
    lỗi sự_cố
    त्रुटि
    خطأ عطل خطا مشکل
    שגיאה תקלה
    ข้อผิดพลาด ขัดข้อง
    エラー 障害 処理できません
    오류 장애
    错误 錯誤 出错 异常 故障
    overloaded overload outage malfunction misconfigur invalid_request bad_request servers_are unavailable_ unable_to_complete unable_to_handle error_occurred try_reloading unerwartet überlastet ausgefallen serverfehler probleme_ nicht_verarbeit ungültige_anfrage erreur_interne surchargé une_erreur incident_technique dysfonction se_ha_producido ha_ocurrido saturado error_interno sobrecargado fallo_ ocorreu_um erro_interno sobrecarregado instabilidade não_foi_possível si_è_verificato errore_interno sovraccaric impossibile er_is_iets er_ging_iets serverfout overbelast onverwachte wystąpił_błąd coś_poszło nieoczekiwan przeciążon произошла что_то_пошло_не внутренняя_ошибка неполадк перегружен сталася_помилка щось_пішло_не внутрішня_помилка перевантажен несправн bir_hata_oluş beklenmeyen sunucu_hatası aksaklık ters_gitti došlo_k_chybě něco_se_pokazilo neočekávan přetížen vyskytla hiba_történt valami_elromlott váratlan túlterhelt a_apărut_o ceva_nu_a_mers neașteptat supraîncărcat något_gick_fel ett_fel oväntat serverfel överbelast noget_gik_galt noe_gikk_galt der_opstod det_oppstod uventet serverfejl serverfeil overbelastet jokin_meni tapahtui odottama palvelinvirhe ylikuormit παρουσιάστηκε κάτι_πήγε_στραβά terjadi_kesalahan ada_yang_salah bermasalah đã_xảy_ra gặp_lỗi quá_tải कुछ_गलत समस्या حدث_خطأ خلل مشكلة خطایی مشکلی אירעה_שגיאה משהו_השתבש เกิดข้อผิดพลาด มีบางอย่างผิดพลาด エラーが発生 問題が発生 失敗しました 混雑 混み合って 集中して 表示できません 문제가_발생 오류가_발생 실패했 혼잡 처리할_수_없 出了点问题 发生错误 服务器错误 出现问题 系统繁忙 繁忙 发生了错误 無法`,

  /** Sorry. */
  apology: `
    whoa yikes hmm uh_ bear_with thank_you_for_your_patience pardon excuse_us aw_snap
    sorry oops whoops uh_oh ouch unfortunately apologi regret inconvenience patience
    leider entschuldig hoppla ups_ verzeihung verständnis
    désolé oups excus malheureusement
    lo_sentimos lamentamos vaya_ disculp perdón ups_
    desculp opa_ lamentamos infelizmente ops_
    ci_dispiace ci_scusiamo spiacenti ops_ attenzione
    helaas sorry oeps excuses
    przepraszamy niestety ups_
    извините к_сожалению простите упс приносим
    вибачте на_жаль упс
    üzgünüz maalesef özür
    omlouváme bohužel jejda
    sajnáljuk elnézést hoppá
    ne_pare_rău din_păcate scuze
    tyvärr hoppsan ursäkta
    beklager desværre dessverre undskyld hov_
    valitettavasti pahoittelemme hups
    συγγνώμη λυπούμαστε δυστυχώς
    maaf mohon_maaf waduh
    rất_tiếc xin_lỗi
    क्षमा
    عذرا عذراً نأسف نعتذر متأسفانه پوزش
    מצטערים אופס סליחה
    ขออภัย
    申し訳 恐れ入り
    죄송 불편을
    抱歉 对不起 對不起 很遗憾 不便
    sorry_about so_sorry our_apologies oh_no oops_ dang_ snap_ uh_oh_ whoops_ tut_uns_leid verzeihen oh_nein schade hoppala nous_sommes_désolés toutes_nos mince zut lo_siento perdona vaya  uy_ sentimos que_pena sentimos opa_ ah_não poxa siamo_spiacenti accidenti peccato oh_no het_spijt jammer oei oeps_ ojej  wybacz coś_nie_tak ой_ увы жаль ох_ ой_ на_превеликий шкода ох_ özür_dileriz eyvah tüh aman_ je_nám_líto ups ajaj hoppá_ elnézés bocs jaj_ ne_cerem hopa oh_nu förlåt oj_ ojdå vi_beklager oi_ hovsa uff anteeksi voi_ei oho_ ωχ ουπς ζητούμε aduh yah_ ôi_ rất_xin_lỗi माफ़ खेद المعذرة آسف آسفون ببخشید אוי_ מתנצלים อุ๊ปส์ เสียใจ すみません おっと ごめん 앗_ 이런_ 미안 哎呀 糟糕 抱歉_ 真抱歉`,

  /** Closed for works. */
  works: `
    undergoing spruc improving our_site making_improvements scheduled_ downtime down_right_now currently_down currently_un temporary closed_for revamp redesign stay_tuned notify_me get_notified under_development construction
    maintenance upgrad updating under_construction back_soon back_shortly be_back be_right_back back_online temporarily_un temporarily_down
    briefly_un offline_ come_back check_back down_for coming_soon opening_soon launching back_in opening_again on_its_way some_work
    wartung vorübergehend nicht_erreichbar in_kürze gleich_zurück bald_zurück hier_entsteht bauarbeiten
    maintenance travaux momentanément bientôt revenez peau_neuve
    mantenimiento volvemos volveremos pronto_ en_breve temporalmente
    manutenção voltaremos em_breve temporariamente fora_do_ar
    manutenzione torniamo torneremo stiamo_aggiornando a_breve
    onderhoud tijdelijk zo_terug binnenkort
    konserwacj przerwa_techniczna prace_techniczne chwilowo w_budowie tymczasowo wkrótce
    технические_работы обслуживани временно скоро_ в_разработке
    технічні_роботи обслуговуванн тимчасово
    bakım geçici yakında
    údržb dočasně brzy_
    karbantart átmeneti hamarosan
    mentenanță întreținere temporar în_curând
    underhåll tillfälligt strax_ uppdaterar
    vedligehold vedlikehold midlertidig snart_
    huolto tilapäisesti pian_
    συντήρηση προσωρινά αναβάθμιση σύντομα
    pemeliharaan perbaikan sementara diselenggara penyelenggaraan segera_
    bảo_trì tạm_thời nâng_cấp
    रखरखाव जल्द
    صيانة مؤقت قريبا تعمیر به_زودی موقت
    תחזוקה זמני בקרוב
    ปรับปรุง ชั่วคราว
    メンテナンス 一時的 工事中 準備中
    점검 일시적 준비_중
    维护 維護 升级 暂时 暫時 建设中
    upgrade_in we_are_updating working_on work_in_progress launch_ almost_ready going_live new_website new_site being_updated being_rebuilt planned_ aktualisier überarbeit neu_gestaltet demnächst im_aufbau im_umbau arbeiten_an temporär kurzzeitig maintenance_ mise_à_jour en_construction temporairement actuellement_en prochainement nouveau_site actualizando en_construcción próximamente trabajando fuera_de_servicio nuevo_sitio obras atualizando em_construção novidades estamos_trabalhando novo_site em_obras aggiornando in_costruzione prossimamente lavori_in nuovo_sito stiamo_lavorando temporaneamente bijgewerkt in_aanbouw vernieuw onder_constructie werkzaamheden momenteel even_offline modernizac aktualizac trwają pracujemy prac_ zapraszamy nowa_strona обновл ремонт ведутся_работ профилакт реконструкц открытие работаем оновл ремонт ведуться профілакт реконструкц працюємо güncelle yapım_aşaması çalışma_yap hazırlanıyor yenilen aktualizuj pracujeme připravujeme ve_výstavbě odstávk rekonstruk fejleszt frissít készül építés dolgozunk actualiz în_construcție lucrăm revenim uppdatering byggs_om arbetar_med stängd_för lanser opdater oppdater arbejder_på arbeider_med under_opbygning under_oppbygg ombygg päivit rakenteilla uudistu työn_alla avautuu εργασίες υπό_κατασκευή αναβαθμ σε_λίγο επιστρέφουμε ανανέωση pembaruan dalam_pembangunan peningkatan naik_taraf dikemas_kini segera_hadir cập_nhật đang_xây_dựng sắp_ra_mắt nâng_cấp_hệ_thống सुधार निर्माणाधीन تحديث تحت_الإنشاء أعمال قيد_التطوير بروزرسانی به_روزرسانی در_دست שדרוג בבנייה עובדים_על กำลังปรับปรุง เร็วๆ_นี้ อัปเดต ซ่อมบำรุง リニューアル 更新中 停止して 公開準備 近日 업데이트 공사_중 준비중 리뉴얼 작업_중 升級 更新中 调整中 建設中 筹备 敬请期待 即将`,

  /** You may not. */
  refused: `
    disabled revoked suspended not_welcome not_serve no_access cannot_access can_t_access unable_to_access permission_to not_granted rejected_ stopped flagged quarantine
    blocked blocking block_ denied deny_ rejected refused forbidden prohibited restricted banned ban_ blacklist not_allowed not_permitted not_authori
    unauthori not_acceptable not_accepted declined disallowed no_permission not_have_permission don_t_have_permission prevented intercepted
    terminated cannot_be_granted not_tolerated switched_off
    gesperrt blockiert verweigert abgelehnt verboten untersagt unterbunden
    bloqué refusé interdit rejeté
    bloquead denegad rechazad prohibid
    negad_ negado recusad proibid
    bloccat negat_ rifiutat respint vietat
    geblokkeerd geweigerd tegengehouden verboden afgewezen
    zablokowan odrzucon zabronion odmówion
    заблокир отклон_ отклонен отклонён запрещ отказано ограничен
    заблок відхилен заборон обмежен не_можна
    engel reddedil yasak kısıtlan kara_liste
    zablokován odepřen zakázán zamítnut odmítnut
    letilt megtagad blokkol elutasít_
    blocat respins refuzat interzis
    blockera nekad nekas spärrad avvisad
    blokeret spærret nægtet avvist blokkert nektet sperret
    estetty estettiin kielletty evätty
    αποκλε απαγορ απορρίφθηκε
    ditolak diblokir dilarang dibatasi disekat
    từ_chối bị_chặn bị_cấm
    अस्वीकृत अवरुद्ध निषेध
    حظر رفض ممنوع منع_ مسدود غیرمجاز
    נחסמ נדחת חסום אסור
    ปฏิเสธ บล็อก ระงับ ต้องห้าม ไม่ได้รับอนุญาต
    拒否 ブロックされ 禁止 遮断 制限
    차단 거부 금지 제한
    拦截 攔截 被拒绝 被拒絕 阻断 禁止 被封 封禁 受限 屏蔽
    blocks_ blacklisted illegal no_entry keep_out you_can_t you_cannot cannot_show_you can_t_show_you can_t_offer can_t_let not_intended declin hinder nicht_gestattet nicht_erlaubt keine_berechtigung nicht_berechtigt zurückgewiesen keinen_zugriff kein_zugriff unzulässig nicht_autorisiert eingeschränkt non_autorisé pas_autorisé n_êtes_pas_autorisé restreint n_avez_pas pas_les_droits rejetée no_autorizad no_está_autorizad no_tiene_permiso no_tienes_permiso restringid prohíb no_permitid impedid não_autorizad não_está_autorizad não_tem_permissão restrit impedid não_pode_acessar non_autorizzat non_hai_i_permessi non_dispon limitato_ interdett geen_toegang niet_toegestaan geen_rechten geen_toestemming niet_bevoegd geweiger brak_dostępu nie_masz_uprawnień nie_masz_dostępu nieautoryzowan wstrzyman niedozwolon нет_доступа нет_прав недостаточно_прав не_имеете ограничили не_разрешен не_авторизован не_обрабатыва немає_доступу немає_прав недостатньо_прав не_маєте обмежили неавторизован engellendi engellenmiş yetkiniz_yok izniniz izin_verilm reddedilmiş nemáte_oprávnění nepovolen zakázan odmítl blokován tiltott nincs_jogosult letiltott letiltva elutasítot nu_aveți_permisiun restricționat nu_sunteți_autoriz blocată åtkomst_nekad inte_behörig saknar_behörighet ej_tillåt stoppad blockerat ikke_adgang ikke_tilgang ingen_adgang ingen_tilgang har_ikke_rettig ikke_tillatt ikke_tilladt afvist forbudt stoppet ei_oikeuksia ei_ole_oikeutta kiellet eväsi estänyt δεν_έχετε_δικαίωμα δεν_επιτρέπεται αποκλείστηκε περιορίσ tidak_diizinkan tidak_memiliki_izin tidak_diperbolehkan terblokir dihalang không_có_quyền không_được_phép đã_chặn bị_hạn_chế अनुमति_नहीं प्रतिबंधित غير_مصرح لا_تملك_صلاحية ليس_لديك_إذن محظور تم_حظر مرفوض غير_مسموح اجازه_دسترسی אין_לך_הרשאה אינך_מורשה אין_הרשאה נדחה חסומה ไม่อนุญาต ไม่มีสิทธิ์ ถูกบล็อก ถูกระงับ ห้าม 許可されていません 権限がありません できません 拒否され アクセス権 권한이_없 허용되지_않 금지된 没有权限 无权 無權 無法存取 不允许 拒绝 拒絕 已被阻止`,

  /** What is refused: the coming of the reader. */
  visit: `
    this_request the_request this_visit   your_isp anonymiz tor_
    your_request your_access your_ip your_address your_network your_connection your_visit your_traffic request requests requested access_ accessing ip_ ip_address traffic
    client_ip vpn_ proxy network_ your_computer data_cent user_agent referrer
    anfrage zugriff aufruf anschluss ip_adresse netzwerk
    demande requête accès adresse_ip réseau
    petición solicitud acceso tráfico dirección_ip
    solicitação requisição acesso tráfego seu_ip
    richiesta accesso_
    verzoek toegang aanvraag
    żądanie dostęp zapytan twoje_żąd
    запрос доступ ip_адрес трафик
    запит доступ адреси
    istek isteğ erişim talep
    požadav přístup dotaz
    kérés hozzáférés
    cerere acces_ accesul solicit
    begäran åtkomst
    anmodning adgang forespørsel tilgang
    pyyntö pyyntösi pääsy
    αίτημα πρόσβαση
    permintaan akses
    yêu_cầu truy_cập
    अनुरोध पहुँच पहुंच
    طلبك الوصول دسترسی درخواست
    הבקשה הגישה בקשתך
    คำขอ การเข้าถึง
    リクエスト アクセス
    요청 접근 접속
    请求 請求 访问 訪問 操作
    your_browser_sent incoming_request http_request request_id remote_address visitor visitors hotlink linking referer anfragen abfragen besucher ihre_ip seitenaufrufe zugriffe verbindungen requêtes votre_adresse visiteurs les_accès accéder peticiones solicitudes acceder visitante conexiones su_ip requisições solicitações acessar visitante acessos richieste accedere visitatori indirizzo_ip connessioni verzoeken bezoek aanvragen ip_adres uw_ip żądania zapytania wejść adres_ip odwiedz запросов обращени_к с_вашего посетител адреса запитів з_вашої звернен відвідувач istekler erişmek ip_adresiniz ziyaret požadavků přístupu ip_adresa návštěv kérések látogat ip_cím cereri accesa adresa_ip förfrågning besök ip_adress anmodninger forespørsler besøg besøk ip_adressen pyyntöjä pääsyä ip_osoite αιτήματα πρόσβασης διεύθυνση_ip mengakses alamat_ip kunjungan truy_cập_của địa_chỉ_ip एक्सेस आईपी الطلب طلبات عنوان_ip الدخول آدرس_ip כתובת_ip בקשה เข้าถึง ที่อยู่_ip ไอพี アクセスを アクセスが IPアドレス 接続元 요청이 ip_주소 방문 ip地址 您的ip 存取 连接请求`,

  /** What refuses it. */
  guard: `
    security firewall protection protected waf_ mod_security ddos attack threat malicious unsafe harmful abuse policy shield
    sicherheit schutz angriff
    sécurité pare_feu protéger
    seguridad cortafuegos protección
    segurança proteção
    sicurezza protezione
    beveiliging veiligheid
    bezpiecz ochron
    защит безопасн
    захист безпек
    güvenlik koruma
    zabezpeč bezpečn ochran
    biztonság védelm
    securitate protecți
    säkerhet skydd
    sikkerhed sikkerhet beskyt
    turvallis palomuuri suojau
    ασφάλεια προστασία
    keamanan keselamatan
    bảo_mật an_ninh
    सुरक्षा
    الحماية أمان أمن_ الأمن امنیت
    הגנה אבטחה
    รักษาความปลอดภัย ความปลอดภัย
    セキュリティ 不正な
    보안
    安全 防护 防護 防火墙 威胁 攻击
    protects protect_ defence defense antibot anti_bot illegal malware phishing vulnerab injection unlawful exploit abgewehrt schädlich bösartig schützen malveillant protège protégé attaque anti_robot pare_feux malicios ataque protegid protege antirrobots malicios ataque protegid protege dannos malevol attacco protett protegg schadelijk kwaadaardig beschermd aanval szkodliw złośliw atak zapor вредонос атак брандмауэр межсетев экран_ шкідлив атак брандмауер zararlı kötü_amaçlı saldırı güvenliğ škodliv útok káros támadás tűzfal rău_intenționat atac paravan skadlig angrepp brandvägg skadelig ondsindet ondsinnet angreb brannmur haital hyökkäys κακόβουλ επίθεσ τείχος_προστασίας berbahaya serangan độc_hại tấn_công tường_lửa दुर्भावना हमला ضار خبيث هجوم جدار_الحماية مخرب حمله זדוני התקפה חומת_אש อันตราย โจมตี ไฟร์วอลล์ 悪意 攻撃 ファイアウォール 保護 악성 공격 방화벽 恶意 惡意 安全策略 黑客 违规`,

  /** Whom to tell. */
  keeper: `
    administrator webmaster site_owner website_owner system_admin help_desk service_desk contact_us contact_the contact_support support_team support_id
    verwaltung betreiber webmaster kundendienst
    administrateur contactez
    administrador contacte póngase_en_contacto escriba
    entre_em_contato suporte
    amministratore assistenza
    beheerder webmaster
    administrator skontaktuj
    администратор обратитесь поддержк
    адміністратор зверніться
    yönetici iletişime
    správc kontaktujte
    rendszergazd
    administratorul contactați
    administratör kontakta
    kontakt_ kontakte
    ylläpito ylläpitäj
    διαχειριστή
    hubungi
    quản_trị liên_hệ
    व्यवस्थापक
    المسؤول مدير_ مدیر
    מנהל_האתר
    ผู้ดูแล ติดต่อ
    管理者 お問い合わせ
    관리자 문의
    管理员 管理員 联系 聯絡
    contact_your get_in_touch report_this report_a if_you_believe if_you_think this_is_a_mistake in_error owner_of let_us_know mail_us email_us wenden_sie kontaktieren seitenbetreiber contacter administrateurs si_vous_pensez póngase contactar si_cree administrador_del contate contato administrador_do se_você_acredita contattare contatti contatta se_ritiene contact_op neem_contact websitebeheerder kontakt_z administratorem jeśli_uważasz свяжитесь администратору если_вы_считаете владельц зв_яжіться адміністратору якщо_ви_вважаєте власник site_yönetici bize_ulaş kontaktujte_správce lépjen_kapcsolat üzemeltető contactează luați_legătura webbplatsens_ägare hör_av_dig administrator_ kontakte_oss kontakt_os ota_yhteyttä επικοινωνήστε hubungi_admin pengelola liên_hệ_với संपर्क اتصل_ب تواصل_مع مسؤول تماس_بگیرید צור_קשר צרו_קשר מנהל ติดต่อผู้ดูแล お問い合わせください 連絡 ご連絡 문의하 관리자에게 연락 站长 管理人員 聯繫 客服`,

  /** Under which number. */
  ticket: `
    reference_id reference_number reference_code ref_id incident event_id ray_id request_id support_id support_number error_code error_id session_id queue_id trace_id block_id attack_id
    message_id case_number id_ uuid_ xid_
    vorgangsnummer referenznummer
    identifiant référence
    número_de_incidencia referencia código
    código id_de
    codice
    kenmerk
    identyfikator
    идентификатор номер_обращения номер_запроса
    код_події
    olay_numara kod_
    identifikátor
    azonosító
    codul
    referensnummer
    tapahtumatunnus tunniste
    αναγνωριστικό
    kode_ nomor_dukungan
    mã_
    رقم شناسه
    מספר_אירוע
    รหัส
    サポートid
    번호
    事件编号 请求id 编号
    case_id tracking_id transaction_id correlation_id guru_meditation trace_ request_number your_id ticket_ time_stamp timestamp fehlercode anfrage_id ereignis numéro_de code_erreur código_de_error número_de_referencia id_de_solicitud código_de_erro número_do_protocolo codice_errore numero_di foutcode referentie kod_błędu  код_ошибки  код_помилки hata_kodu referans kód_chyby číslo_ hibakód cod_de_eroare felkod ärendenummer fejlkode feilkode sagsnummer virhekoodi κωδικός kode_kesalahan id_permintaan mã_lỗi mã_yêu_cầu رمز_الخطأ معرف کد_خطا קוד_שגיאה รหัสข้อผิดพลาด エラーコード 管理番号 受付番号 오류_코드 요청_id 错误代码 请求标识 錯誤代碼 traceid`,

  /** Not a person. */
  robot: `
    robot_ robots_ bot_ bots_ automated crawler scraper harvester script_ scripts_ bulk_download
    roboter bots programm_ automatisiert
    robots automatisé
    robô
    automatycz
    робот бот_ автоматич
    ρομπότ πρόγραμμα_αυτόμ
    روبوت ربات
    רובוט
    หุ่นยนต์ บอท
    ロボット 自動
    로봇 자동
    机器人 機器人 自动
    spider non_human artificial headless user_agents automatisierte roboter_ bot_schutz automat_ automatique automatizad automatizad robô_ robôs automatizzat geautomatiseerd geautomatis automat_ robotem zautomatyzowan роботом автоматическ боты роботом автоматичн боти otomatik automatizovan automatizált automatizat automatiserad automatiseret automatisert automatisoitu robotti robotilta αυτοματοποι otomatis tự_động rô_bốt स्वचालित रोबोट آلي الروبوت خودکار אוטומטי בוט อัตโนมัติ 自動化 ボット ロボットでは 자동화 봇_ 自动化 爬虫`,

  /** A person. */
  human: `
    not_a_bot not_a_robot not_robot no_robot not_an_automated actually_human
    human person_ real_person are_you_real you_are_real
    mensch menschlich
    humain
    humano pessoa persona_
    umano persona_
    człowiek
    человек
    людина людин
    insan_
    člověk
    ember_
    människa
    menneske
    ihminen
    άνθρωπος
    manusia
    con_người
    मानव इंसान
    إنسان بشر انسان
    אנושי
    มนุษย์
    人間
    사람 사용자
    真人 人机
    humanity real_people actual_person living echter_mensch mensch_ humains être_humain humana ser_humano persona_real pessoa_real ser_humano essere_umano persona_reale mens_ echt_persoon człowiekiem человеком живой людиною gerçek_kişi insansınız člověkem ember_vagy ființă_uman om_real människa_ mänsklig menneske_ menneskelig ihmin άνθρωπο orang_sungguhan người_thật मनुष्य שאתה_אדם בן_אדם บุคคลจริง 人であること 本人 사람인지 真实用户 人类 本人`,

  /** Show it. */
  verify: `
    making_sure ensure_you_are ensure_you_re ensuring
    prove_you prove_that tick_ tick_this type_the enter_the_code hold_the_button slide_  quick_check one_more_step additional_step
    verif checking check_your check_if check_that confirm prove_ validat  captcha challenge_ puzzle slider tick_the checkbox press_and_hold characters proof_of_work solve
    überprüf bestätig prüf zeigen_sie
    vérif confirm recopi
    compruebe verific confirm
    verific confirm pressione
    verific conferm
    controle verifieer bevestig
    weryfik sprawdz potwierd
    провер подтверд
    перевір підтверд
    doğrula doğrulan
    ověř opište
    ellenőriz igazol
    verific confirm
    kontroll verifier bekräfta markera
    bekræft bekreft
    vahvista tarkist
    επαλήθευ επιβεβαι
    verifikasi memeriksa konfirmasi sahkan
    xác_minh xác_nhận
    सत्यापित जाँच
    التحقق نتحقق بررسی تأیید
    אימות לאמת
    ยืนยัน ตรวจสอบ
    認証 確認 入力
    확인 인증 입력
    验证 驗證 校验 确认 勾选 勾選 滑块
    verification_ authenticate_that security_check checkpoint inspect_ screening   rotate drag sicherheitsprüfung sicherheitsabfrage bild_ ankreuz geprüft beweis contrôle cochez prouv vérifions glissez casilla comprobando comprobar marque_ demuestr verificando resuelv imagen caixa_ verificando marque_ comprove prove_que imagem casella verifica_ verifichiamo dimostr completa_ vinkje controleren bewijs afbeelding zaznacz potwierdz udowodnij obrazk przesuń подтвердите отметьте введите картинк поставьте підтвердьте позначте введіть картин işaretle doğrulama kanıtla kutuyu zaškrt ověřujeme dokažte obráz jelölje bizonyítsa képen bifați demonstra imagin kryssa bevisa bild_ afkryds bevis_ sæt_kryds billed hak_av todista varmist rasti επιβεβαίωση σημειώστε εικόνα centang buktikan gambar selesaikan pastikan geser kéo_ trượt thanh_trượt hình_ảnh ghép_hình chứng_minh mã_xác सत्यापन पुष्टि تأكد تأكيد تحقق أثبت صورة تایید ודא אמת_ סמן אישור พิสูจน์ ทำเครื่องหมาย เลื่อน จากภาพ 画像 文字を チェックを 証明 検証 パズル 이미지 문자를 체크 증명 퍼즐 검사 检查您 检查浏览器 拖动 滑动 拼图 完成验证 證明 核验 图片 点击`,

  /** Why it is asked. */
  unusual: `
    for_today allowance views_
    too_often so_many throttl  excessive rapid burst robotic bot_like cooling cool_down hourly_limit daily_limit
    unusual suspicious abnormal irregular too_many too_fast too_quickly too_much slow_down rate_limit quota used_up in_a_short_time limit_ many_searches exceeded automated_access
    ungewöhnlich auffällig verdächtig zu_viele limit_ höchstzahl
    inhabituel suspect trop_de trop_d
    inusual sospechos demasiad
    incomum suspeit muit
    insolit sospett troppe troppi
    ongebruikelijk verdacht te_veel
    nietypow podejrzan zbyt_wiele
    подозрительн необычн слишком
    підозріл незвичн забагато
    olağan şüpheli çok_fazla
    neobvykl podezřel příliš velké_množství
    szokatlan gyanús túl_sok
    neobișnuit suspect periculoas prea_mult
    ovanlig misstänkt för_många
    usædvanlig uvanlig mistænkelig for_mange
    epätavalli epäilyttäv liian_monta haitallis
    ασυνήθιστ ύποπτ πολλά_αιτήματα
    mencurigakan tidak_biasa terlalu_banyak
    bất_thường quá_nhiều
    असामान्य बहुत_अधिक
    غير_عادي غير_معتاد كثيرة
    חריג חשוד יותר_מדי
    ผิดปกติ มากเกินไป
    通常と異なる 不審 多すぎ
    비정상 너무_많
    异常 異常 频繁 頻繁 可疑
    overuse heavy_use many_requests suspicion abuse_ too_quick too_soon ungewöhnliche überschritten zu_schnell viele_anfragen anzahl dépassé trop_rapide activité_suspecte anormal excedid excesiv activ_inusual actividad_sospech excedeu excessiv demais_ atividade_suspeit limite_ superato eccessiv attività_sospett anomal limite_ overschreden limiet te_snel verdachte przekroczon zbyt_szybk zbyt_dużo превышен лимит частые часто_ перевищен ліміт часто_ надто_ aşıldı sınırı aşırı sık_ překročen moc_ túllépte korlát depășit limita_ överskrid gräns för_snabbt overskred grænse grense ylitet raja_ liikaa liian υπερβήκατε όριο υπερβολικ melebihi batas_ terlalu_sering vượt_quá giới_hạn quá_nhanh सीमा تجاوزت الحد عدد_كبير بیش_از_حد חרגת מגבלה יותר_מדי_בקשות เกิน ถี่เกิน 異常な 上限 短時間 大量の 초과 너무_자주 의심 과도 超出 过快 上限 过多 過多 短时间`,

  /** By what it is asked. */
  browser: `
    your_browser browser javascript java_script enable_js cookies_ turn_on switched_on switch_on enable_ ad_blocker adblock connection device reload refresh
    browser aktivieren verbindung neu_laden
    navigateur activer activez connexion recharg
    navegador activer activez activar activa_ conexión
    navegador ativ conexão
    browser abilita connessione
    schakel inschakelen verbinding
    przegląd włącz połączen
    браузер включите соединен обновите
    браузер увімкніть з_єднан
    tarayıc etkinleştir bağlant
    prohlížeč zapněte připojen
    böngész engedélyez
    activați
    webbläsar aktivera
    aktiver nettleser
    selain ota_käyttöön
    περιηγητή ενεργοποι
    peramban aktifkan penyemak
    trình_duyệt kích_hoạt kết_nối
    ब्राउज़र
    المتصفح الاتصال مرورگر
    הדפדפן
    เบราว์เซอร์
    ブラウザ 有効に
    브라우저
    浏览器 瀏覽器 启用
    outdated_browser unsupported_browser supported_browser modern_browser newer_version latest_version your_web_browser requires_javascript needs_javascript without_javascript disabled_javascript chrome_ firefox_ safari_ edge_ in_the_app open_the_app open_in_app veraltet unterstützt javascript_ aktuellen_browser einschalten obsolète ancien_ version_récente activer_javascript désactivé trop_ancien mettre_à_jour desactualizado compatible actualice habilite versión_ desatualizado compatível atualize habilite ative_ obsoleto supportato aggiorna abilitare attiva_ verouderd ondersteund javascript_ inschakel przestarzał obsługiwan javascript_ wyłączon aktualnej устарел поддержив включить отключен javascript_ застаріл підтрим увімкнути вимкнен javascript_ güncel_değil desteklen javascript_ zastaral podporov javascript_ zapnout elavult támogatott javascript_ învechit acceptat javascript_ föråldrad stöds_ javascript_ webbläsare forældet utdatert understøtt støttes javascript_ vanhentunut tue_ javascript_ selaimesi υποστηρίζεται javascript_ περιήγησης didukung usang javascript_ hỗ_trợ javascript_ cập_nhật_trình समर्थित javascript_ يدعم جافا_سكريبت تفعيل متصفحك پشتیبانی جاوااسکریپت דפדפן javascript_ מיושן รองรับ javascript_ เปิดใช้งาน 対応していません 推奨 お使いのブラウザ javascript_ バージョン 지원하지_않 자바스크립트 브라우저를 不支持 版本过低 javascript_ 升级浏览器 开启`,

  /** It is said to the reader. */
  reader: `
    you_ your_ you_re you_ve yourself we_ us_ our_ please
    sie_ ihr_ ihre_ ihren_ ihrer_ ihrem_ dein_ deine_ bitte wir_ uns_
    vous_ votre_ vos_ nous_ veuillez merci_
    su_ sus_ usted tu_ te_ por_favor
    você seu_ sua_ seus_ por_favor
    tuo_ tua_ suo_ sua_ per_favore ti_
    u_ uw_ je_ jouw alstublieft wij_ we_
    twój twoj_ twoja twoje_ państw prosimy proszę
    вы_ вас_ ваш вам_ пожалуйста мы_
    ви_ вас_ ваш вам_ будь_ласка ми_
    lütfen siz_ sizin
    vás_ váš vaš prosím
    kérjük ön_ önt_ ön
    dumneavoastr vă_ vi_rog
    du_ din_ ditt vänligen vi_
    dig_ deg_ vennligst venligst
    sinun ole_hyvä sinä
    σας_ εσείς παρακαλ
    anda silakan mohon kamu
    bạn vui_lòng
    आप_ आपक कृपया
    يرجى من_فضلك لطفا شما_
    אנא שלך אתם
    คุณ โปรด กรุณา
    ください お客様 あなた
    귀하 주세요 하세요 주십시오 고객님
    您 请 請 你`,

  /** Wait. */
  wait: `
    hang_on hang_tight almost_there a_few_seconds stand_by transferring taking_you shortly while_we
    just_a_moment moment_ one_moment hold_on please_wait wait_ waiting seconds redirected redirecting automatically loading in_line queue your_turn few_minutes later_ tomorrow later_again
    moment_ bitte_warten sekunden später weitergeleitet
    patient un_instant secondes redirig plus_tard minutes
    espere_ un_momento segundos más_tarde en_la_cola cargando
    aguarde um_momento segundos mais_tarde carregando
    attend un_momento secondi
    even_geduld ogenblik seconden
    chwil sekund przekierowan później
    подожд секунд загрузка позже перенаправ
    зачекайте секунд пізніше
    bekley bir_dakika saniye
    okamžik počkejte sekund
    várjon pillanat
    așteptați moment_
    vänta ögonblick en_stund
    vent_ øjeblik øyeblikk
    odota hetki
    περιμένετε δευτερόλεπτα αργότερα
    tunggu detik sebentar
    đợi chờ giây
    प्रतीक्षा
    لحظة انتظر ثوان صبر_کنید
    המתן רגע
    โปรดรอ กรุณารอ
    お待ち しばらく
    잠시만 기다
    稍等 稍候 稍后 秒后 等待 加载
    give_us_a queue_position estimated_wait being_redirected einen_augenblick warten warteschlange gedulden wird_geladen später_erneut instants patienter file_d_attente quelques_minutes chargement momento_ cola_ tiempo_estimado unos_minutos momento_ fila_ instante alguns_minutos attesa coda_ attendere qualche_minuto moment_geduld wachtrij wachten later_nog poczekaj kolejk proszę_czekać минут_ очеред ожидан немного_подожд хвилин черг очікуван birkaç lütfen_bekleyin sırada čekejte chvíl frontě chvilku várakoz perc_ később câteva_minute așteptare kö_ strax_ väntar sekunder kø_ sekunder senere vente jono odottaa sekun myöhemmin αναμονή λίγο_αργότερα στιγμή antrean menunggu sebentar_lagi nanti hàng_đợi vui_lòng_chờ trong_giây कुछ_देर बाद_में قليلا لاحقا الانتظار لحظاتی چند_لحظه بعدا דקות בהמתנה מאוחר สักครู่ รอสักครู่ ภายหลัง 少々お待ち 時間をおいて 後ほど 順番 기다려 나중에 대기 请稍 排队 稍後 几秒`,

  /** Say who you are. */
  login: `
    session_ your_session signed_out logged_out inactivity log_back sign_back profile_of
    to_continue_to members login_required sign_in_to authoriz authoris one_time_code passcode sso_ employees_only staff_only
    log_in login logged_in sign_in signed_in password username user_name account_ forgot register_ registered sign_up create_an_account members_only member_ invitation private_ authenticat credentials
    anmelden anmeldung einloggen passwort konto registrier mitglied benutzername
    connexion connecter connecté identifiant mot_de_passe inscri compte_
    iniciar_sesión inicia_sesión contraseña regístr acceder socios
    entrar_ entre_ou entre_para senha cadastr faça_login
    accedi accesso_ password registrati soci_ area_riservata
    inloggen log_eerst wachtwoord registreren account_
    zaloguj logowan hasło zarejestruj konto_
    войти войдите вход_ пароль логин регистрац авториз
    увійти пароль вхід реєстрац
    giriş şifre üye_ kayıt
    přihl heslo registr
    bejelentkez jelszó regisztr
    autentific parola cont_ conectați
    logga_in lösenord
    log_ind logg_inn adgangskode passord
    kirjaudu kirjautu salasana käyttäjätunnus
    σύνδεση κωδικό
    masuk_ kata_sandi daftar_
    đăng_nhập mật_khẩu
    लॉग_इन लॉगिन पासवर्ड
    تسجيل_الدخول سجل_الدخول كلمة_المرور ورود رمز_عبور
    התחבר סיסמה
    เข้าสู่ระบบ รหัสผ่าน
    ログイン 会員 パスワード
    로그인 회원 비밀번호
    登录 登入 登錄 密码 密碼 注册 註冊
    to_view_this you_must_be be_logged sign_on enter_your_password remember_me new_user existing_user please_authenticate zugangsdaten kennwort angemeldet registrieren nur_für_mitglieder eingeloggt login_ einloggen_ passwort_vergessen geschützter se_connecter connectez mot_de_passe_oublié espace_membre réservé_aux identifiez inscrivez utilisateur usuario_y identifícate registrarse regístrate correo_electrónico acceso_restringido olvidado usuário conta_ faça_seu área_restrita esqueceu entrar nome_utente registrarsi effettua_l_accesso effettua_il password_dimenticata riservat gebruikersnaam aanmelden ingelogd wachtwoord_vergeten leden_ nazwa_użytkownika użytkownik musisz_być zalogować hasła tylko_dla имя_пользователя забыли авторизуйтесь зарегистрируйтесь учетн учётн личный_кабинет ім_я_користувача забули авторизуйтеся обліков увійдіть kullanıcı oturum_aç üyelik şifremi giriş_yap uživatel jméno_ heslo_ přihlášen zaregistr felhasználó belépés fiók lépjen_be utilizator intră_în_cont parol användarnamn logga_in_ glömt medlem brugernavn brukernavn log_ind_ logg_inn_ glemt medlem tapahtumatunnus kirjautuminen rekisteröi unohd όνομα_χρήστη συνδεθείτε εγγραφή μέλη pengguna login_ masuk_untuk lupa akun_ tài_khoản tên_đăng_nhập quên_mật_khẩu đăng_ký उपयोगकर्ता साइन_इन اسم_المستخدم حساب تسجيل للأعضاء نام_کاربری وارد_شوید عضویت שם_משתמש להתחבר הרשמה כניסה ชื่อผู้ใช้ ลงชื่อเข้า สมัครสมาชิก ユーザー名 会員登録 ログインして 新規登録 サインイン 아이디 로그인이 회원가입 로그인하 请先登录 用户名 帳號 账号 验证码登录 扫码`,

  /** Agree. */
  consent: `
    gdpr_ preferences data_processing vendors opt_out your_choices legitimate_interest
    cookies accept_ accept_all agree_ reject_all consent partners_ partnern_ personalised personalized privacy personal_data manage_privacy manage_settings manage_preferences manage_options manage_cookies terms_of necessary_cookies only_necessary advert ads_ store_and_access
    cookies akzeptieren zustimm einwillig ablehnen werbung tracking  datenschutz personenbezogen
    accepter refuser traceurs partenaires confidentialit
    aceptar rechazar privacidad socios_
    aceitar rejeitar privacidade
    accetta rifiuta
    akkoord toestemming accepteren
    akceptuj zgadzam zgod prywatn
    принять соглас
    прийняти
    kabul_et çerez
    přijmout souhlas soukrom
    elfogad süti sütik elutasít hozzájár adatvéd
    godkänn samtycke kakor
    tillad samtykke kun_nødvendige annoncer
    hyväksy evästei välttämättöm
    αποδοχή
    同意 동의 クッキー
    your_privacy we_value allow_all allow_cookies cookie_policy accept_cookies we_use_cookies i_agree i_accept got_it third_part analytics reject_ alle_akzeptieren cookie einverstanden nutzungsbedingungen verarbeiten einstellungen drittanbieter werbe cookie tout_accepter tout_refuser paramétr données_personnelles consentir publicité préférences continuer_sans cookie aceptar_todo configurar datos_personales publicidad preferencias política_de cookie aceitar_todos dados_pessoais publicidade preferências política_de cookie accetta_tutt dati_personali pubblicità preferenze informativa rifiuta_tutt cookie alles_accepteren weigeren persoonsgegevens voorkeuren advertenties cookiebeleid instellingen cookie ciastecz plik akceptuję zaakceptuj odrzuć ustawieni przetwarzan polityk reklam cookie файлы_cookie принимаю согласен согласие настройк персональн политик рекламн cookie файли_cookie погоджуюсь приймаю згода налаштув персональн політик реклам çerezler kabul_ediyor reddet kişisel gizlilik cookie soubory_cookie přijmout_vše odmítnout nastavení osobních zásad cookie cookie_k beállítás személyes elfogadás cookie accept_toate refuz setări confidențialitate acceptera avvisa inställningar personuppgifter annons accepter_alle afvis avslå godta indstillinger innstillinger personoplysninger annonser evästeitä hyväksyn hylkää asetukset yksityisyy mainon αποδέχομαι αποδοχή_όλων απόρριψη ρυθμίσεις απορρήτου cookie terima_semua setuju menyetujui tolak privasi cookie chấp_nhận đồng_ý quyền_riêng_tư कुकी स्वीकार सहमत ملفات_تعريف_الارتباط الكوكيز قبول موافق الخصوصية کوکی می_پذیرم עוגיות אישור_הכל מסכים פרטיות คุกกี้ ยอมรับ ความเป็นส่วนตัว 同意する プライバシー すべて許可 拒否する 쿠키 동의합니다 모두_동의 개인정보 接受 同意并 隐私 隱私 cookie`,

  /** Pay. */
  pay: `
    full_access become_a_member  membership unlimited_access rest_of_this remaining_article subscribers_only for_subscribers
    subscribe subscriber subscription subscribing keep_reading continue_reading read_on unlock paying paid_  supporter free_article free_stor see_plans trial per_month a_month already_a
    abo_ abonn weiterlesen jetzt_testen mit_plus pur_
    abonn s_abonner
    suscript suscríb al_mes
    assin_ assinant assine
    abbonat abbonament
    abonnee abonnement
    prenumer wykup subskryb
    подпис
    передплат
    abone
    předplat
    előfiz
    prenumerant läs_vidare
    abonnement abonnent kjøp
    tilaaja tilaa_
    有料 続きを 残り
    구독
    订阅 訂閱 会员 付费
    exclusive_to exclusively_for upgrade_to unlock_ start_your_free already_subscrib read_the_full full_story full_article to_read_more read_more_by abonnieren exklusiv probemonat bezahl testmonat zum_weiterlesen abonnez abonnés réservé_aux_abonnés lire_la_suite  pour_lire il_vous_reste suscriptor suscripción exclusivo_para seguir_leyendo para_leer leer_más assinantes assinatura exclusivo_para continue_lendo para_ler abbonati abbonamento continua_a_leggere riservato_agli per_leggere abonnees abonneer verder_lezen lees_verder alleen_voor_abonnees prenumerator dostęp_do_treści czytaj_dalej subskryp wykup_dostęp подписчик подписк оформите чтобы_прочитать читать_далее передплатник підписк щоб_прочитати abonelik aboneler devamını_oku premium_üye předplatné předplatitel číst_dál odemk előfizetés előfizető tovább_olvas abonați abonament continuă_să prenumerera prenumeration läsa_hela för_att_läsa låst abonnér abonner læs_videre les_mer les_videre køb_ låst tilaajat tilaus lue_lisää jatka_lukemista συνδρομητ συνδρομή berlangganan pelanggan đăng_ký_gói hội_viên đọc_tiếp सदस्यता المشتركين اشترك اشتراك مشترکین اشتراک למנויים מנוי สมาชิกเท่านั้น สมัครสมาชิก 有料会員 会員限定 続きを読む 購読 유료 구독자 전용 付費 订阅后 解锁 會員`,

  /** The rest is not shown. */
  locked: `
    keep_reading continue_reading read_on read_the_full to_read_more read_the_rest rest_of_this full_story remaining_article to_continue
    unlock subscribers_only for_subscribers members_only for_members only_for_sub only_for_paying for_paying paying_subscribers exclusive_to exclusively_for
    available_to_subscribers available_only free_article free_stor last_free article_limit reached_your_limit
    weiterlesen zum_weiterlesen exklusiv_für nur_für_abonnent für_abonnent nur_mit_abo vollständigen_artikel ganzen_artikel
    lire_la_suite pour_lire réservé_aux_abonnés réservée_aux_abonnés pour_les_abonnés il_vous_reste
    seguir_leyendo para_leer solo_para_suscriptores exclusivo_para contenido_exclusivo para_suscriptores
    continue_lendo para_ler só_para_assinantes exclusivo_para_assinantes para_assinantes
    continua_a_leggere per_leggere riservato_agli solo_per_abbonati per_gli_abbonati
    verder_lezen lees_verder alleen_voor_abonnees voor_abonnees
    czytaj_dalej dla_prenumerator przeczytasz tylko_dla_subskryb tylko_z_prenumerat
    только_для_подписчик чтобы_прочитать по_подписке продолжить_чтение
    лише_для_передплат щоб_прочитати
    devamını_oku abonelere_özel
    pro_předplatitele číst_dál odemknout
    előfizetőknek tovább_olvas
    doar_pentru_abonați continuă_să_cite
    för_prenumeranter läs_vidare läsa_vidare läsa_hela
    for_abonnenter læs_videre les_videre lese_hele læse_hele lese_videre
    tilaajille lue_lisää jatka_lukemista
    για_συνδρομητές
    untuk_pelanggan lanjutkan_membaca
    dành_cho_hội_viên đọc_tiếp
    للمشتركين_فقط
    למנויים_בלבד
    続きを 会員限定 残り 有料会員
    구독자_전용 계속_읽
    继续阅读 閱讀全文 阅读全文 后可查看`,

  /** How old, and where from. */
  gate: `
    minors under_18 adult_content explicit of_age not_for_children age_gate outside_the geo_restrict  gdpr in_your_location
    18_years 18_or age_of_18 aged_18 18_jahre 18_anni 18_lat 18_ans 18_años 18_anos 18_år 21_years 21_or years_old over_18 legal_age drinking_age adults_only date_of_birth age_verif your_age are_you_over old_enough
    your_country your_region your_territory your_area your_jurisdiction territory jurisdiction where_you_are european_economic legal_reasons licensing  country_ your_location
    jahre_alt volljährig in_deinem_land in_ihrem_land
    majeur votre_pays votre_région
    mayor_de_edad tu_país su_país
    maior_de seu_país
    maggiorenne compiuto tuo_paese
    jouw_land uw_land
    ukończone pełnolet
    регион стран
    регіон країн
    starším 18_let
    ülkeniz bölgeniz
    あなたの国 お住まい
    地区 地區
    your_date_of_birth  verify_your_age legal_drinking 18_to_enter 18_plus only_adults isn_t_available_in not_available_in restricted_in blocked_in residents mindestens_18 über_18 unter_18 alter_ altersprüfung geburtsdatum ihrer_region deiner_region deinem_land ihrem_land jugendschutz majorité plus_de_18 âge date_de_naissance dans_votre mayores_de edad_ fecha_de_nacimiento en_tu_país en_su_país en_su_región maiores_de idade data_de_nascimento no_seu_país na_sua_região maggiore_età data_di_nascita nel_tuo_paese età_ 18_jaar leeftijd ouder_dan geboortedatum in_jouw_land in_uw_land regio pełnoletni wiek_ data_urodzenia w_twoim_kraju 18_лет мне_есть_18 возраст совершеннолет дата_рождения вашей_стране вашего_региона в_вашем_регионе 18_років вік_ повноліт вашій_країні вашого_регіону 18_yaş yaşında doğum_tarih ülkenizde bölgenizde plnolet věk_ datum_narození vaší_zemi 18_éves elmúlt nagykorú születési országában 18_ani vârst data_nașterii țara_dumneavoastră åldersgräns ålder födelsedatum ditt_land alder fødselsdato dit_land ditt_land 18_vuot täysi_ikäi ikä_ maassasi 18_ετών ηλικία χώρα_σας 18_tahun usia umur tanggal_lahir di_negara di_wilayah 18_tuổi độ_tuổi quốc_gia_của khu_vực 18_वर्ष आयु आपके_देश आपके_क्षेत्र 18_عام السن عمرك بلدك منطقتك کشور_شما מעל_גיל גיל_ במדינה_שלך באזור อายุ ประเทศของคุณ 18歳 年齢 成人 お住まいの国 地域 만_19세 성인 연령 생년월일 국가 지역에서 年满 年滿 18岁 18歲 成年 您所在`,

  /** Nobody lives here. */
  host: `
    namecheap godaddy placeholder this_domain default_web nginx apache_ default_site congratulations successfully_installed virtual_host not_configured dns_ nameserver cname unclaimed
    domain hosting hosted web_server server_ default_page parked for_sale registered_at registrar provider this_name account_suspended on_hold deployment your_site_files
    web_address been_given_any_content test_page make_an_offer buy_this control_panel it_works related_searches
    domain registriert internetpräsenz kunden
    domaine enregistré en_ligne hébergement
    dominio alojamiento
    domínio hospedagem
    domen hosting
    домен хостинг владелец баланс
    domén
    tartomány
    ドメイン サーバ
    도메인
    域名 服务器
    web_hosting domain_name domain_names is_parked has_been_registered recently_registered is_registered has_no_website no_website is_for_sale may_be_for_sale server_is_working installed_ successfully_ welcome_to_nginx no_site_configured site_not_found default_website document_root index_html cpanel plesk domains webserver webspace hoster steht_zum_verkauf zum_verkauf registriert_ inhaber kundenservercenter domaines nom_de_domaine serveur hébergé hébergeur à_vendre vient_d_être enregistré_par nos_clients pas_encore_en_ligne dominio_ servidor está_en_venta registrado_ alojado proveedor domínio_ servidor à_venda registrado_ hospedagem_ provedor dominio_ in_vendita registrato_ domeinnaam domein_ te_koop geregistreerd domena na_sprzedaż serwer zarejestrowan utrzymywan zaparkowan домена продаётся продается сервер зарегистрирован припаркован домену продається сервер зареєстрован alan_adı satılık sunucu kayıtlı doména na_prodej registrována zaparkov domain_név eladó szerver regisztrál domeniu de_vânzare serverul găzdui domän till_salu registrerad webbhotell domæne domene til_salg registrert registreret webhotel verkkotunnus myytävänä palvelin rekisteröity πωλείται διακομιστή dijual peladen terdaftar hosting_ tên_miền máy_chủ được_đăng_ký डोमेन सर्वर النطاق الخادم للبيع دامنه سرور דומיין שרת למכירה โดเมน เซิร์ฟเวอร์ ドメインは サーバー お名前 도메인이 서버 호스팅 域名已 出售 主机 服務器 伺服器 网站搭建 站点`,
} as const
