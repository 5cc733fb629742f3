// The words of pages that have nothing to give: what was asked for is not there, failed or is not open yet. As in walls.ts.

export const wordsOfGaps = {
  /** What was asked for. */
  page: `
    page website web_site site link url address content article listing item_ product_ post_ topic thread document_ this_video
    profile vacancy advert directory seite webseite internetseite adresse inhalt artikel angebot anzeige produkt dokument lien
    contenu produit annonce página sitio enlace contenido artículo anuncio producto dirección conteúdo artigo produto anúncio
    endereço pagina sito contenuto articolo prodotto annuncio collegamento indirizzo inhoud advertentie adres onderwerp strona
    stronę strony stronie ofert ogłoszen artykuł treś страниц сайт ссылк адрес контент материал объявлен товар ресурс тем_ темы
    тему сторінк посилан матеріал вміст sayfa içerik ürün ilan_ ilanı bağlantı stránk inzerát nabídk obsah odkaz oldal tartalom
    cím hirdetés termék pagin anunț conținut produs sidan sida webbplats innehåll länk annons siden nettsted hjemmeside webside
    indhold innhold artikkel lenken sivu sivusto sisältö linkki tuote artikkeli σελίδα ιστότοπ άρθρο περιεχόμενο σύνδεσμο προϊόν
    ιστοσελίδα halaman laman konten situs tautan produk alamat trang liên_kết nội_dung sản_phẩm đường_dẫn पेज पृष्ठ वेबसाइट साइट
    सामग्री लिंक صفحة موقع محتوى رابط المقال صفحه سایت محتوا نشانی مطلب עמוד דף_ הדף אתר תוכן קישור หน้า ลิงก์ เว็บ เนื้อหา
    สินค้า ページ サイト コンテンツ 記事 商品 お探し 페이지 사이트 게시물 콘텐츠 상품 주소 页面 网页 網頁 頁面 网站 網站 内容 內容 链接 連結 文章 网址 網址 requested_page the_page
    this_page this_site this_website this_service service internetauftritt homepage auftritt dienst shop_ profil beitrag thema
    angeforderte gesuchte aufgerufene rubrique demandée recherché contenus servicio publicación solicitada buscas tienda serviço
    publicação loja servizio richiesta cercata negozio gevraagde webwinkel usług witryn strone serwis artykułu сервис раздел
    публикац запрашиваем магазин портал сервіс запитан запитув hizmet bağlantıya aradığınız služb e_shop požadovan szolgáltat
    webáruház keresett kért_oldal serviciu pagini site_ul tjänst begärda webbsida tjeneste nettsiden hjemmesiden forespurte
    ønskede palvelu verkkosivu pyydet υπηρεσία σύνδεσμος κατάστημα άρθρου layanan toko diminta laman_ini dịch_vụ cửa_hàng
    bài_viết सेवा خدمة الخدمة المنتج منتج فروشگاه لینک שירות מוצר הפריט บริการ ร้าน เพจ お店 ショップ サービス リンク 서비스 게시글 링크 사이트가 홈페이지
    스토어 服务 服務 店铺 网店 资源 文件 帖子 视频 頁 this_account this_user this_profile this_post this_title this_item this_job this_listing
    this_shop this_store this_blog this_thread this_file job_ property_ ad_ webpage web_page stellenangebot stelle_ inserat
    offre_d_emploi oferta_de_empleo vaga_ posizione vacature вакансі вакансия оголошен ilmoitu annonse annonsen stilling jobb_
    αγγελία iklan tin_đăng آگهی מודעה 求人 物件 出品 매물 채용 职位 房源 宝贝 主题 画像ページ stranic stranica stran_ oglas puslapi lapa_ lapas leht_
    pàgina strán страница обява сайта_ turinys saturs sisu_ contingut web_stránk recording track_ petition episode this_board
    this_image this_photo album_ playlist channel_ this_group this_event this_course this_game auction recipe_ booking_ الإعلان
    هذا_الإعلان ประกาศที่ レシピ_ 物件の 商品は この商品 この物件 公告 barang`,

  /** It is not there. */
  missing: `
    expired has_expired taken_off sold_or no_more dead_end wrong_turn vanished misplaced wandered doesn_t_live
    doesn_t_seem_to_exist seems_to_have dead_link out_of_date bookmark typo misspel spelling no_page isn_t_here couldn_t_locate
    cannot_locate can_t_locate unable_to_locate nowhere no_content has_ended is_over discontinued has_been_sold already_sold
    nonexistent not_found can_t_be_found can_t_find cannot_find cannot_be_found couldn_t_find could_not_find could_not_be_found
    couldn_t_be_found unable_to_find nothing_here nothing_was_found nothing_found no_results no_matches doesn_t_exist
    does_not_exist not_exist no_longer isn_t_available is_not_available not_available unavailable anymore any_more been_removed
    was_removed been_deleted was_deleted withdrawn taken_down has_moved been_moved was_moved moved_ broken_ vacancy_has_closed
    has_been_closed_to gone_ lost_ mistyped no_such 404_ 410_ not_here there_s_nothing there_is_nothing missing_
    nicht_gefunden nicht_finden nicht_verfügbar nicht_mehr nicht_vorhanden existiert_nicht existiert_leider ins_leere gelöscht
    verschoben entfernt abgelaufen keine_ergebnisse keine_treffer nicht_existier introuvable n_existe pas_été_trouvé pas_trouvé
    n_est_plus pas_disponible plus_disponible supprimé déplacé expiré aucun_résultat no_encontr no_se_encontr no_se_ha_encontr
    no_se_pudo_encontrar no_hemos_encontr no_existe ya_no_ no_está_disponible no_disponible eliminad caducad se_ha_perdido roto_
    não_encontr não_foi_encontr não_existe não_está_mais não_está_disponível indisponível removid excluíd apagad saiu_de_linha
    non_trovat non_è_stat non_esiste non_è_più non_disponibile rimoss spostat eliminata_ eliminato_ niet_gevonden niet_vinden
    bestaat_niet niet_meer niet_beschikbaar verwijderd verplaatst nie_znal nie_istnieje nie_została_znaleziona nie_mamy wygas
    usunię przeniesion niedostępn не_найден не_нашл не_существует не_удалось_найти нет_такой такой_страницы удален удалён
    перемещ больше_не недоступ не_знайд не_існує немає видален видалил переміщ більше_не недоступн bulunamadı bulunmuyor
    mevcut_değil kaldırıl silin taşınmış artık_ yayında_değil nenalezen nebyl_nalez nebyla_nalez neexist smazán odstraněn
    přesunut není_dostupn již_není nedostupn nenašl nem_talál nem_létez törölt áthelyez nem_elérhető nu_a_fost_găsit nu_există
    nu_mai_ ștears indisponibil hittades_inte kunde_inte_hitta hittar_inte finns_inte borttag flyttat inte_längre ikke_fundet
    ikke_funnet findes_ikke finnes_ikke finner_ikke kan_ikke_find fant_ikke eksisterer_ikke slettet fjernet flyttet ikke_noget
    utdatert ikke_lenger ikke_længere ei_löyt ei_löydy ei_ole_olemassa ei_ole_enää poistettu siirretty δεν_βρέθηκε δεν_βρήκαμε
    δεν_υπάρχει διαγραφ μεταφερθ μη_διαθέσιμ δεν_είναι_διαθέσιμ tidak_ditemukan tidak_dapat_ditemukan tidak_ada tidak_tersedia
    dihapus dipindah tidak_dijumpai nggak_ada không_tìm_thấy không_tồn_tại không_còn bị_xóa bị_xoá bị_gỡ không_có_sẵn नहीं_मिल
    उपलब्ध_नहीं मौजूद_नहीं हटा_ غير_موجود لم_نعثر لم_يتم_العثور العثور_على تم_حذف حذف_ غير_متوفر غير_متاح یافت_نشد پیدا_نشد
    وجود_ندارد حذف_شده در_دسترس_نیست לא_נמצא לא_קיים אינו_קיים לא_מצאנו הוסר נמחק אינו_זמין ไม่พบ ถูกลบ ไม่มีอยู่ หมดอายุ
    ถูกย้าย 見つかりません 存在しません 存在しない 削除され 移動した 見つかりませんでした 찾을_수_없 존재하지_않 삭제 사라졌 不存在 找不到 未找到 没有找到 已删除 被删除 已刪除 已下架 已失效 丢失 已过期
    no_longer_available sold_out_of no_longer_exist not_there isn_t_there isn_t_around not_available_any been_archived
    been_discontinued was_withdrawn pulled_ nicht_auffind existiert_nicht_mehr fehlt_ unauffindbar nicht_da veraltet
    falsch_eingegeben vertippt wurde_beendet bereits_verkauft vergriffen keine_seite gibt_es_nicht nicht_online
    n_avons_pas_trouvé a_été_retiré a_changé n_a_pas_pu_être_trouvé inexistant inconnu erronée périmé plus_en_ligne perdu_
    aucune_page no_hemos_podido_encontrar no_hay_resultados no_pudimos_encontrar inexistente retirad ha_desaparecido trasladado
    ha_caducado desaparec borrad não_conseguimos_encontrar não_há não_localiz não_pôde_ser_encontr desapareceu esgotad
    foi_retirad não_foi_possível_encontrar movida_ non_riusciamo_a_trovare non_abbiamo_trovato inesistente non_raggiungibile
    nessun_risultato errato_ non_c_è kan_niet_worden_gevonden kunnen_niet_vinden konden_niet_vinden onbekend bestaat_helaas_niet
    verkocht_ is_weg nie_możemy_znaleźć nie_udało_się_znaleźć nie_odnalez nieaktualn nie_ma_takiej brak_ nieistniej
    не_можем_найти не_смог_найти не_смогли_найти отсутству снято_с неверн ошиблись удалил ничего_не_найдено нет_в_наличии
    не_обнаруж не_можемо_знайти не_зміг_знайти не_змогли_знайти відсутн нічого_не_знайдено невірн помилилися вилучен bulamadık
    bulunamad bulunama erişilemiyor silinmiş kaldırılmış yanlış_ sonuç_bulun mevcut_değ yok_ nelze_najít nepodařilo_se_najít
    nemůžeme_najít neplatn zrušen ukončen nič_sa zaniknut neplatí nem_találjuk nem_talált megszűnt nincs_ilyen elgépel
    érvénytelen eltávolít nu_am_găsit nu_putem_găsi nu_a_putut_fi_găsit inexistent_ ștearsă mutată nu_este_disponibil
    kan_inte_hitta kunde_inte_hittas har_tagits_bort existerar_inte är_borta utgått hittade_inte kunne_ikke_findes
    kunne_ikke_finne vi_kan_ikke_finde kunde_ikke er_flyttet er_blevet_slettet er_fjernet udløbet utløpt er_borte
    kan_ikke_finnes emme_löytän ei_voitu_löytää ei_ole_saatavilla ei_enää on_poistunut δεν_μπορούμε_να_βρούμε δεν_μπορέσαμε_να
    δεν_ήταν_δυνατή καταργήθηκε έχει_αφαιρεθεί έληξε tidak_bisa_ditemukan tidak_dapat_menemukan telah_dihapus sudah_dihapus
    telah_dipindahkan kedaluwarsa kadaluarsa tidak_wujud salah_jalan không_thể_tìm_thấy đã_hết_hạn đã_gỡ ngừng_kinh_doanh
    không_có_trang không_hợp_lệ नहीं_मिला नहीं_मिली ढूँढ_नहीं हटाया لا_توجد غير_موجودة لم_يعد لا_يوجد تعذر_العثور عذرا_لم
    غير_متوفرة غير_صحيح حذفه نقلها حذفها پیدا_نمی حذف_گردیده منقضی לא_נמצאה לא_הצלחנו_למצוא לא_קיימת אינה_קיימת שגוי הוסרה
    כבר_לא ไม่มีหน้านี้ ไม่สามารถค้นหา ไม่สามารถพบ ไม่มีแล้ว ลบแล้ว หาไม่เจอ 見つけることができません 終了しました 終了いたしました 掲載終了 ありません 消えて 移動または削除
    無効です 찾지_못 없습니다 삭제되었 판매_종료 종료되었 잘못된 이동되었 沒有找到 未能找到 走丢 去火星 已被移除 已经删除 已關閉 已下线 迷路 沒有 失效 no_products no_items no_posts no_jobs
    no_listings no_properties matching_your were_found isn_t_here_anymore can_t_seem_to_find couldn_t_be_loaded not_archived
    no_page_with not_a_functioning off_limits could_not_locate either_missing has_been_filled filled_ ended_ be_sold nic_není
    tu_není nebyla_nikdy ulaşılamıyor såld_ borttagen on_poistettu vanhentun فروخته_شده منقضی_شده no_longer_active inactive_
    deactivated no_longer_listed no_page_here nothing_to_see came_up_empty misplaced_that does_not_point doesn_t_point
    point_to_something points_to_something wrong_address not_registered falsche_adresse erroné wrong_link bad_link 登録されていません
    間違っている 原因が考えられ 无法访问 不好意思 不見了 gibt_es_nicht_mehr es_gibt_diese nicht_registriert n_est_pas_enregistr no_está_registrad
    não_está_registrad non_registrat niet_geregistreerd niezarejestrowan не_зарегистрирован не_зареєстрован ne_postoji не_постои
    не_съществува nije_pronađen nije_pronadjen ni_najden ne_obstaja istekao uklonjen obrisan izbrisan премахнат изтрит nerastas
    nerasta neegzistuoj nav_atrast neeksist ei_leitud ei_eksisteeri no_s_ha_trobat no_existeix sa_nenaš neexistuje_
    bola_odstránen may_be_private parte_en_voyage partie_en_voyage 해당_블로그가 유효하지_않은 판매가_종료 走丢了 不见了 被作者删除 elgépelt can_t_play
    cannot_be_played won_t_play took_it_off not_shared isn_t_shared shared_with_you has_passed registration_is_closed
    no_longer_offered has_been_pulled nicht_mehr_abspielbar ne_peut_pas_être_lu no_se_puede_reproducir nie_może_być_pokazany
    не_может_быть_воспроизвед nie_jest_już już_nie nie_jest_dostępn 删除 刪除 不再 掲載は終了 sudah_tidak tidak_dijual ไม่พบประกาศ
    privacy_settings couldn_t_play cannot_be_played_here nu_mai_este není_v_nabídce već_nije uz_nav vairs_nav enam_ei ikke_mer
    ikke_længere_tilg nicht_länger plus_proposé ya_no_se não_se_encontra non_più_in niet_langer artık_mevcut больше_нет уже_нет
    вже_немає більше_немає hatt_klappt nicht_geklappt hat_etwas_nicht we_don_t_know_what
    no_se_encontraron comprueba_la_ortografía 0_resultados 0_results 0_treffer 0_ergebnisse 0_résultat 0_risultati 0_resultaten
    0_wyników 0_sonuç che_cercavi rimosso_dall non_più_disponibil a_pourvu_le_poste poste_a_été_pourvu poste_est_pourvu
    est_dépassée offre_expirée no_text_in_this currently_no_text does_not_have_a_page no_article_with stelle_ist_besetzt
    bereits_besetzt stelle_wurde_besetzt anzeige_ist_nicht inserat_ist_nicht vacature_is_vervuld vacature_is_gesloten
    oferta_ya_no la_oferta_ha anúncio_expirad anúncio_já_não ogłoszenie_wygasł ogłoszenie_nieaktualne oferta_nieaktualna
    объявление_снято объявление_закрыто оголошення_закрит ilan_yayından ilan_kaldırıl annonsen_är_avslutad tjänsten_är_tillsatt
    stillingen_er_besat stillingen_er_besatt paikka_on_täytetty`,

  /** Where to go instead. */
  elsewhere: `
    search_for search_our_site try_searching use_the_search search_below home_or the_menu sitemap site_map return_home homepage
    check_the_url check_the_address check_the_spelling search_bar search_box home_page start_page main_page front_page go_back
    go_home back_to take_me_home back_home return_to try_again startseite zurück_zur suche_ erneut versuchen accueil retour
    rechercher réessay inicio volver portada buscar inténtelo_de_nuevo inténtalo_de_nuevo intenta_de_nuevo página_inicial voltar
    tente_novamente torna_alla torna_all riprova terug_naar startpagina probeer_het opnieuw strona_główna stronę_główną wróć
    spróbuj на_главную главную_страницу вернуться повтор попробуйте на_головну головну поверн спробуйте ana_sayfa anasayfa dönün
    geri_dön tekrar domů úvodní zpět zkuste főoldal vissza próbálja prima_pagină acasă înapoi încerc startsidan tillbaka försök
    forsiden tilbage tilbake til_forsiden prøv etusivu takaisin yritä αρχική επιστροφή δοκιμάστε beranda kembali_ke coba_lagi
    sila_cuba trang_chủ quay_lại quay_về thử_lại होमपेज मुखपृष्ठ वापस الرئيسية العودة حاول_مرة بازگشت به_خانه دوباره דף_הבית
    חזרה נסו_שוב หน้าแรก กลับ ลองใหม่ ลองอีกครั้ง トップへ トップページ 戻る もう一度 再度 홈으로 메인으로 돌아가 다시_시도 다시_확인 返回 首页 首頁 重试 重試 重新 再试 go_to_the
    take_you_back previous_page contact_page our_home search_our start_again start_over popular_pages zurück suchen_sie
    zur_suche neu_suchen page_d_accueil revenir recherche retournez página_principal regresar intente_de_nuevo vuelve vuelva
    regresa retorne pesquis pagina_iniziale tornare torna_ ricerca_ ga_terug homepagina zoeken naar_de_home probeer powrót
    strony_głównej przejdź wyszukiwar skorzystaj перейти вернитесь главной поиск_ воспользуйтесь начал повернутися поверніться
    пошук_ скористайтеся ana_sayfaya geri_ deneyin arama_yap zpět_na hlavní_stránk přejít vyhledáv vraťte főoldalra kezdőlap
    keresés térjen ugrás pagina_principală înapoi_la mergi căuta gå_tillbaka till_startsidan sök_ försök_igen gå_til gå_tilbage
    gå_tilbake startside søg_ søk_ prøv_igjen prøv_igen etusivulle palaa hae_ kokeile αρχική_σελίδα επιστρέψτε αναζήτηση
    δοκίμασε halaman_utama silakan_coba kembali cari_ laman_utama trở_về về_trang tìm_kiếm thử_lại_sau मुख्य_पृष्ठ पुनः_प्रयास
    होम_पेज الصفحة_الرئيسية للرئيسية عد_إلى ارجع ابحث صفحه_اصلی برگشت לעמוד_הבית לחזור חזרה_ל נסה_שוב לחפש กลับไป หน้าหลัก
    กลับสู่ ค้นหา トップページへ ホームへ お戻り 検索 やり直 お試し 홈페이지로 메인_페이지 검색 돌아가기 처음으로 回到首页 返回首页 前往主页 重新搜索 回首頁 上一页 主页 head_back best_head
    try_finding through_the_menu use_the_menu über_das_menü im_menü hauptseite par_le_menu por_el_menú pelo_menu dal_menu
    via_het_menu przez_menu через_меню здесь_меню 去首页 去主页 返回上一页 上一頁 后退 open_an_issue common_resources povratak početn
    на_началната начална pagrindin uz_sākum sākumlapa avaleht inici_ torna_a_l na_úvod nochmals riprovare si_prega_di
    try_looking benzer_ilanlar moj_račun
    ihnen_stattdessen gefällt_ihnen pourraient_vous_plaire vous_pourriez_aimer te_puede_interesar podría_interesarte
    potrebbe_interessarti potrebbero_interessarti dai_un_occhiata pode_interessar misschien_vind_je może_zainteresuje
    вам_может_понравиться вас_может_заинтересовать вам_може_сподобатися ilginizi_çekebilir you_might_also_like you_may_also_like
    related_logs search_for_this_page other_pages volte_a_tentar try_another_search similar_jobs similar_listings
    ähnliche_anzeigen ähnliche_stellen annonces_similaires anuncios_similares annunci_simili anúncios_semelhantes`,

  /** It went wrong. */
  failure: `
    hiccup unexpected crash can_t_reach couldn_t_load could_not_load failed_to_load unable_to_load unable_to_connect
    can_t_connect could_not_connect something_broke on_our_end our_side our_engineers being_fixed looking_into error went_wrong
    gone_wrong problem exception failed failure 500_ 502_ 503_ 504_ internal_server server_error bad_gateway timeout timed_out
    service_unavailable fatal stack_trace database_error database_connection connecting_to_the_database upstream backend could_not_be_processed unable_to_process not_working crashed
    glitch fehler störung schiefgelaufen schiefgegangen technisch erreur problème échec indisponible errores problema fallo
    no_podemos_atender erro_ erros falha errore fout_ fouten misgegaan storing błąd błędu awari ошибк сбой проблем помилк збій
    hata_ hatası sorun chyb hiba_ hibá eroare eroarea fel_ felet fejl feil_ gikk_galt gik_galt virhe σφάλμα πρόβλημα kesalahan
    gangguan ralat lỗi sự_cố त्रुटि خطأ عطل خطا مشکل שגיאה תקלה ข้อผิดพลาด ขัดข้อง エラー 障害 処理できません 오류 장애 错误 錯誤 出错 异常 故障
    overloaded overload outage malfunction misconfigur invalid_request bad_request servers_are unavailable unable_to_complete
    unable_to_handle error_occurred try_reloading unerwartet überlastet ausgefallen serverfehler probleme_ nicht_verarbeit
    ungültige_anfrage erreur_interne surchargé une_erreur incident_technique dysfonction se_ha_producido ha_ocurrido saturado
    error_interno sobrecargado ocorreu_um erro_interno sobrecarregado instabilidade não_foi_possível si_è_verificato
    errore_interno sovraccaric impossibile er_is_iets er_ging_iets serverfout overbelast onverwachte wystąpił_błąd coś_poszło
    nieoczekiwan przeciążon произошла что_то_пошло_не внутренняя_ошибка неполадк перегружен сталася_помилка щось_пішло_не
    внутрішня_помилка перевантажен несправн bir_hata_oluş beklenmeyen sunucu_hatası aksaklık ters_gitti došlo_k_chybě
    něco_se_pokazilo neočekávan přetížen vyskytla hiba_történt valami_elromlott váratlan túlterhelt a_apărut_o ceva_nu_a_mers
    neașteptat supraîncărcat något_gick_fel ett_fel oväntat serverfel överbelast noget_gik_galt noe_gikk_galt der_opstod
    det_oppstod uventet serverfejl serverfeil overbelastet jokin_meni tapahtui odottama palvelinvirhe ylikuormit παρουσιάστηκε
    κάτι_πήγε_στραβά terjadi_kesalahan ada_yang_salah bermasalah đã_xảy_ra gặp_lỗi quá_tải कुछ_गलत समस्या حدث_خطأ خلل مشكلة
    خطایی مشکلی אירעה_שגיאה משהו_השתבש เกิดข้อผิดพลาด มีบางอย่างผิดพลาด エラーが発生 問題が発生 失敗しました 混雑 混み合って 集中して 表示できません 문제가_발생 오류가_발생
    실패했 혼잡 처리할_수_없 出了点问题 发生错误 服务器错误 出现问题 系统繁忙 繁忙 发生了错误 無法 lets_try_again another_shot don_t_fret there_is_a_problem
    there_was_a_problem there_has_been_an_error an_error_has_occurred error_message error_log exception_printing
    technical_problem greška грешка napaka klaida kļūda viga_ chyba_ schief_gelaufen interromp interrompu resolving 解決に取り組んで
    処理中にエラー verarbeitung awarię awarii dizzy exhausted overwhelmed pusing kewalahan überfordert débordé saturados
    sobrecarregados nicht_geklappt hat_nicht_geklappt da_hat_etwas geklappt something_isn_t_right isn_t_right temporary_issue
    an_issue algo_no_va no_va_bien algo_salió_mal algo_deu_errado qualcosa_è_andato_storto iets_misgegaan coś_nie_działa
    что_то_сломал`,

  /** Sorry. */
  apology: `
    whoa yikes hmm uh_ bear_with thank_you_for_your_patience pardon excuse_us aw_snap sorry oops whoops uh_oh ouch unfortunately
    apologi regret inconvenience patience leider entschuldig hoppla ups verzeihung verständnis désolé oups excus malheureusement
    lo_sentimos lamentamos vaya disculp perdón desculp opa_ infelizmente ops_ ci_dispiace ci_scusiamo spiacenti attenzione
    helaas oeps excuses przepraszamy niestety извините к_сожалению простите упс приносим вибачте на_жаль üzgünüz maalesef özür
    omlouváme bohužel jejda sajnáljuk elnézést hoppá ne_pare_rău din_păcate scuze tyvärr hoppsan ursäkta beklager desværre
    dessverre undskyld hov_ valitettavasti pahoittelemme hups συγγνώμη λυπούμαστε δυστυχώς maaf mohon_maaf waduh rất_tiếc
    xin_lỗi क्षमा عذرا عذراً نأسف نعتذر متأسفانه پوزش מצטערים אופס סליחה ขออภัย 申し訳 恐れ入り 죄송 불편을 抱歉 对不起 對不起 很遗憾 不便 sorry_about
    so_sorry our_apologies oh_no dang_ snap_ tut_uns_leid verzeihen oh_nein schade hoppala nous_sommes_désolés toutes_nos mince
    zut lo_siento perdona uy_ sentimos que_pena ah_não poxa siamo_spiacenti accidenti peccato het_spijt jammer oei ojej wybacz
    coś_nie_tak ой_ увы жаль ох_ на_превеликий шкода özür_dileriz eyvah tüh aman_ je_nám_líto ajaj elnézés bocs jaj_ ne_cerem
    hopa oh_nu förlåt oj_ ojdå vi_beklager oi_ hovsa uff anteeksi voi_ei oho_ ωχ ουπς ζητούμε aduh yah_ ôi_ rất_xin_lỗi माफ़ खेद
    المعذرة آسف آسفون ببخشید אוי_ מתנצלים อุ๊ปส์ เสียใจ すみません おっと ごめん 앗_ 이런_ 미안 哎呀 糟糕 真抱歉 žao_nam_je oprostite съжаляваме
    atsiprašome atvainojiet vabandame ho_sentim ľutujeme žiaľ je_nám_ľúto oj_då hupsista αχ ご迷惑`,

  /** Closed for works. */
  works: `
    undergoing spruc improving our_site making_improvements downtime down_right_now currently_down currently_un
    revamp redesign stay_tuned notify_me get_notified under_development maintenance upgrad updating under_construction back_soon
    back_shortly be_back be_right_back back_online temporarily_un temporarily_down briefly_un offline_ come_back check_back
    down_for coming_soon opening_soon launching back_in opening_again on_its_way some_work wartung vorübergehend
    nicht_erreichbar in_kürze gleich_zurück bald_zurück hier_entsteht bauarbeiten travaux momentanément bientôt revenez
    peau_neuve mantenimiento volvemos volveremos pronto_ en_breve temporalmente manutenção voltaremos em_breve temporariamente
    fora_do_ar manutenzione torniamo torneremo stiamo_aggiornando a_breve onderhoud tijdelijk zo_terug binnenkort konserwacj
    przerwa_techniczna prace_techniczne chwilowo w_budowie tymczasowo wkrótce технические_работы обслуживани временно скоро_
    в_разработке технічні_роботи обслуговуванн тимчасово bakım geçici yakında údržb dočasně brzy_ karbantart átmeneti hamarosan
    mentenanță întreținere temporar în_curând underhåll tillfälligt strax_ uppdaterar vedligehold vedlikehold midlertidig snart_
    huolto tilapäisesti pian_ συντήρηση προσωρινά αναβάθμιση σύντομα pemeliharaan perbaikan sementara diselenggara
    penyelenggaraan segera_ bảo_trì tạm_thời nâng_cấp रखरखाव जल्द صيانة مؤقت قريبا تعمیر به_زودی موقت תחזוקה זמני בקרוב ปรับปรุง
    ชั่วคราว メンテナンス 一時的 工事中 準備中 점검 일시적 준비_중 维护 維護 升级 暂时 暫時 建设中 upgrade_in we_are_updating working_on work_in_progress launch_
    almost_ready going_live new_website new_site being_updated being_rebuilt planned_ aktualisier überarbeit neu_gestaltet
    demnächst im_aufbau im_umbau arbeiten_an temporär kurzzeitig mise_à_jour en_construction temporairement actuellement_en
    prochainement nouveau_site actualizando en_construcción próximamente trabajando fuera_de_servicio nuevo_sitio obras
    atualizando em_construção novidades estamos_trabalhando novo_site em_obras aggiornando in_costruzione prossimamente
    lavori_in nuovo_sito stiamo_lavorando temporaneamente bijgewerkt in_aanbouw vernieuw onder_constructie werkzaamheden
    momenteel even_offline modernizac aktualizac trwają pracujemy prac_ zapraszamy nowa_strona обновл ремонт ведутся_работ
    профилакт реконструкц открытие работаем оновл ведуться профілакт працюємо güncelle yapım_aşaması çalışma_yap hazırlanıyor
    yenilen aktualizuj pracujeme připravujeme ve_výstavbě odstávk rekonstruk fejleszt frissít készül építés dolgozunk actualiz
    în_construcție lucrăm revenim uppdatering byggs_om arbetar_med stängd_för lanser opdater oppdater arbejder_på arbeider_med
    under_opbygning under_oppbygg ombygg päivit rakenteilla uudistu työn_alla avautuu εργασίες υπό_κατασκευή αναβαθμ σε_λίγο
    επιστρέφουμε ανανέωση pembaruan dalam_pembangunan peningkatan naik_taraf dikemas_kini segera_hadir cập_nhật đang_xây_dựng
    sắp_ra_mắt nâng_cấp_hệ_thống सुधार निर्माणाधीन تحديث تحت_الإنشاء قيد_التطوير بروزرسانی به_روزرسانی در_دست שדרוג בבנייה
    עובדים_על กำลังปรับปรุง เร็วๆ_นี้ อัปเดต ซ่อมบำรุง リニューアル 更新中 停止して 公開準備 近日 업데이트 공사_중 준비중 리뉴얼 작업_중 升級 调整中 建設中 筹备 敬请期待 即将
    technical_issue technical_difficult short_break taking_a_short when_it_reopens reopens finished_setting in_the_meantime
    take_a_while zur_verfügung wartungsarbeiten niedostępny_prosimy portal_временно not_quite_ready not_ready_yet almost_done
    nearly_ready new_look new_face fresh_look moving_house we_ve_moved be_with_you be_right_with see_you_soon soon_back
    back_later we_ll_be_back we_will_be_back we_are_moving tweaking tinkering tightening polishing getting_ready being_prepared
    behind_the_scenes working_hard hard_at_work improvements_ scheduled_maintenance scheduled_work under_maintenance
    has_been_set_up en_route zieht_um neuem_gesicht neues_gesicht gleich_wieder bald_wieder sind_wieder wieder_da wieder_für_sie
    kurze_pause wir_arbeiten im_hintergrund verbesserungen déménage revient_bientôt de_retour_bientôt améliorations
    nous_travaillons petite_pause estamos_en_obras en_obras nos_vemos_pronto muy_pronto tareas_programadas fuera_de_línea
    estamos_mejorando en_reparación vuelve_pronto vuelve_más_tarde melhorias em_manutenção voltamos_já volte_mais_tarde
    até_breve in_allestimento miglioramenti torneremo_online ci_vediamo_presto verhuizen verbeteringen bijna_klaar even_geduld_a
    we_zijn_zo_terug przeprowadz ulepsz zaraz_wracamy wrócimy już_wkrótce переезжа улучша скоро_вернемся скоро_вернёмся
    мы_работаем переїжджа покращу скоро_повернемося taşınıyoruz iyileştir geri_döneceğiz stěhuj vylepšuj brzy_zpět budeme_zpět
    költöz javít hamarosan_vissza ne_mutăm îmbunătăț revenim_în flyttar förbättr tillbaka_snart vi_är_snart flytter forbedr
    snart_tilbage snart_tilbake muut_ paran palaamme_pian μεταφερόμαστε βελτιώ θα_επιστρέψουμε perbaiki segera_kembali
    chuyển_nhà cải_thiện sẽ_quay_lại बेहतर जल्द_वापस نعود_قريبا تحسين سنعود بهبود به_زودی_باز משפרים נחזור_בקרוב קרוב กำลังย้าย
    กลับมาเร็วๆ 改善 まもなく 再開 準備しております 이전_중 개선 곧_돌아 곧_찾아 即将上线 马上回来 改版 搬家 održavanj поддръжк профилактика vzdrževanj priežiūr apkop
    hooldus manteniment momentan_nicht gewartet in_kürze_wieder interrompu al_momento momentaneamente daily_maintenance
    maintenance_activity ただいま 終了予定 pracujemy_nad wordt_gewerkt turun_tangan on_it_already already_on_it working_on_it are_on_it
    team_is fixing_it our_team tim_kami notre_équipe nuestro_equipo nossa_equipe il_nostro_team unser_team ons_team nasz_zespół
    наша_команда ekibimiz`,

  /** Nobody lives here. */
  host: `
    namecheap godaddy placeholder this_domain default_web nginx apache_ default_site congratulations successfully_installed
    virtual_host not_configured dns_ nameserver cname unclaimed domain hosting hosted web_server server_ default_page parked
    for_sale registered_at registrar provider this_name account_suspended on_hold deployment your_site_files web_address
    been_given_any_content test_page make_an_offer buy_this control_panel it_works related_searches registriert internetpräsenz
    kunden domaine enregistré en_ligne hébergement dominio alojamiento domínio hospedagem domen домен хостинг владелец баланс
    domén tartomány ドメイン サーバ 도메인 域名 服务器 web_hosting domain_name domain_names is_parked has_been_registered recently_registered
    is_registered has_no_website no_website is_for_sale may_be_for_sale server_is_working installed_ successfully_
    welcome_to_nginx no_site_configured site_not_found default_website document_root index_html cpanel plesk domains webserver
    webspace hoster steht_zum_verkauf zum_verkauf inhaber kundenservercenter domaines nom_de_domaine serveur hébergé hébergeur
    à_vendre vient_d_être enregistré_par nos_clients pas_encore_en_ligne servidor está_en_venta registrado_ alojado proveedor
    à_venda provedor in_vendita registrato_ domeinnaam domein_ te_koop geregistreerd domena na_sprzedaż serwer zarejestrowan
    utrzymywan zaparkowan домена продаётся продается сервер зарегистрирован припаркован домену продається зареєстрован alan_adı
    satılık sunucu kayıtlı doména na_prodej registrována zaparkov domain_név eladó szerver regisztrál domeniu de_vânzare
    serverul găzdui domän till_salu registrerad webbhotell domæne domene til_salg registrert registreret webhotel verkkotunnus
    myytävänä palvelin rekisteröity πωλείται διακομιστή dijual peladen terdaftar tên_miền máy_chủ được_đăng_ký डोमेन सर्वर
    النطاق الخادم للبيع دامنه سرور דומיין שרת למכירה โดเมน เซิร์ฟเวอร์ ドメインは サーバー お名前 도메인이 서버 호스팅 域名已 出售 主机 服務器 伺服器 网站搭建 站点
    courtesy_of this_webpage domain_owner sponsored_listings third_party_advertisers upload_your website_files your_app_service
    is_up_and_running deploy deployed custom_domain connected_to_a isn_t_connected connect_this connect_your get_started_with
    control_panel_login hosting_provider your_domain is_this_your the_owner_of server_misconfiguration different_server
    no_such_app no_such_bucket nosuchbucket project_not_found noch_nicht_eingerichtet votre_domaine espace_client domain_ist
    votre_site_est tu_dominio su_dominio il_tuo_dominio uw_domein twoja_domena ваш_домен website_builder coming_from
    further_configuration nginx_org apache2 apache_http index_of default_welcome turn_it_back take_ownership the_owner_
    site_is_built holding_page domain_in_use new_domain has_been_set_up set_up_but домейн domēn domeen domini_
    poprawnie_skonfigurowan jeśli_jesteś_właścicielem wgraj_pliki witamy_na_serwerze wenn_sie_der_inhaber
    si_vous_êtes_le_propriétaire si_usted_es_el_propietario se_sei_il_proprietario als_u_de_eigenaar
    if_you_are_the_owner_of_this upload_your_website upload_your_files`,
} as const
